public import Foundation

/// The domain of all errors of this module.
public let CKErrorDomain: String = "CKErrorDomain"
/// The `userInfo` key in `.partialFailure` for the error of each failed item.
public let CKPartialErrorsByItemIDKey: String = "CKPartialErrors"
/// The `userInfo` key for the number of seconds to wait before trying again, an `NSNumber`.
public let CKErrorRetryAfterKey: String = "CKRetryAfter"
/// The `userInfo` key in `.serverRecordChanged` for the version that the client's changes are based on.
public let CKRecordChangedErrorAncestorRecordKey: String = "AncestorRecord"
/// The `userInfo` key in `.serverRecordChanged` for the version on the server.
public let CKRecordChangedErrorServerRecordKey: String = "ServerRecord"
/// The `userInfo` key in `.serverRecordChanged` for the version that the client tried to save.
public let CKRecordChangedErrorClientRecordKey: String = "ClientRecord"
/// The `userInfo` key in `.zoneNotFound` that is present, as an `NSNumber`, if the person reset the encrypted
/// data.
public let CKErrorUserDidResetEncryptedDataKey: String = "CKErrorUserDidResetEncryptedDataKey"
/// The owner name that stands for the signed-in person.
public let CKCurrentUserDefaultName: String = "__defaultOwner__"
/// The owner name that stands for the signed-in person.
@available(*, deprecated, renamed: "CKCurrentUserDefaultName")
public let CKOwnerDefaultName: String = "__defaultOwner__"
/// The record name of the share of a whole zone.
public let CKRecordNameZoneWideShare: String = "cloudkit.zoneshare"

extension NSNotification.Name {
    /// Posted when a person signs in or out. Call `accountStatus` again.
    public static let CKAccountChanged = NSNotification.Name("CKAccountChangedNotification")
}

/// The status of the account on this device.
public enum CKAccountStatus: Int, Sendable {
    /// The status is unknown; the accompanying error says why.
    case couldNotDetermine = 0
    /// A person is signed in.
    case available = 1
    /// An administrator has blocked the account.
    case restricted = 2
    /// Nobody is signed in.
    case noAccount = 3
    /// A person is signed in, but has to act before the account can be used.
    case temporarilyUnavailable = 4
}
