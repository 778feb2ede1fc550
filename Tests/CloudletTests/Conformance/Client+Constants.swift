import CloudKit
import Foundation

extension Client {
    @available(*, deprecated)
    static func useConstants() {
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
        let _: NSNotification.Name = .CKAccountChanged
        let _: any (Sendable & RawRepresentable<Int>).Type = CKAccountStatus.self
        let _: [CKAccountStatus] = [
            .couldNotDetermine, .available, .restricted, .noAccount, .temporarilyUnavailable,
        ]
    }
}
