import CloudKit
import Foundation

extension Client {
    @available(*, deprecated)
    static func useTheConstants() {
        let _: String = CKErrorDomain
        let _: String = CKPartialErrorsByItemIDKey
        let _: String = CKErrorRetryAfterKey
        let _: String = CKRecordChangedErrorAncestorRecordKey
        let _: String = CKRecordChangedErrorServerRecordKey
        let _: String = CKRecordChangedErrorClientRecordKey
        let _: String = CKErrorUserDidResetEncryptedDataKey
        let _: String = CKCurrentUserDefaultName
        let _: String = CKOwnerDefaultName
        let _: String = CKRecordNameZoneWideShare
    }

    @available(*, deprecated)
    static func useNames() {
        let _: NSNotification.Name = NSNotification.Name.CKAccountChanged
    }

    @available(*, deprecated)
    static func useAccountStatus() {
        let _: any (Sendable & RawRepresentable<Int>).Type = CKAccountStatus.self
        let _: CKAccountStatus = CKAccountStatus.couldNotDetermine
        let _: CKAccountStatus = CKAccountStatus.available
        let _: CKAccountStatus = CKAccountStatus.restricted
        let _: CKAccountStatus = CKAccountStatus.noAccount
        let _: CKAccountStatus = CKAccountStatus.temporarilyUnavailable
    }
}
