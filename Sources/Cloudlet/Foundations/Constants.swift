public import Foundation

/// The domain of every error of this module.
public let CKErrorDomain: String = "CKErrorDomain"
/// In `userInfo` of `.partialFailure`: the error of each item that failed.
public let CKPartialErrorsByItemIDKey: String = "CKPartialErrors"
/// In `userInfo`: seconds to wait before trying again, an `NSNumber`.
public let CKErrorRetryAfterKey: String = "CKRetryAfter"
/// In `userInfo` of `.serverRecordChanged`: the version that the client's changes started from.
public let CKRecordChangedErrorAncestorRecordKey: String = "AncestorRecord"
/// In `userInfo` of `.serverRecordChanged`: the version on the server.
public let CKRecordChangedErrorServerRecordKey: String = "ServerRecord"
/// In `userInfo` of `.serverRecordChanged`: the version that could not be saved.
public let CKRecordChangedErrorClientRecordKey: String = "ClientRecord"
/// In `userInfo` of `.zoneNotFound`: whether the person reset encrypted data, an `NSNumber`.
public let CKErrorUserDidResetEncryptedDataKey: String = "CKErrorUserDidResetEncryptedDataKey"
/// The owner name that means "me".
public let CKCurrentUserDefaultName: String = "__defaultOwner__"
/// The owner name that means "me".
@available(*, deprecated, renamed: "CKCurrentUserDefaultName")
public let CKOwnerDefaultName: String = "__defaultOwner__"
/// The record name of a share of a whole zone.
public let CKRecordNameZoneWideShare: String = "cloudkit.zoneshare"

extension NSNotification.Name {
    /// Posted when somebody signs in or out; ask for `accountStatus` again.
    public static let CKAccountChanged = NSNotification.Name("CKAccountChangedNotification")
}

/// Whether somebody is signed in.
public enum CKAccountStatus: Int, Sendable {
    /// Not known; the accompanying error says why.
    case couldNotDetermine = 0
    /// Somebody is signed in.
    case available = 1
    /// The device's administrator forbids it.
    case restricted = 2
    /// Nobody is signed in.
    case noAccount = 3
    /// Somebody is signed in and has to do something first.
    case temporarilyUnavailable = 4
}
