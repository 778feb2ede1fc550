import CloudKit
import CoreLocation
import Foundation

extension Client {
    @available(*, deprecated)
    static func useQueries() {
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKQuery.self
        let _: (NSCoder) -> CKQuery? = CKQuery.init(coder:)
        let _: (CKRecord.RecordType, NSPredicate) -> CKQuery = CKQuery.init(recordType:predicate:)
        let _: Readable<CKQuery, CKRecord.RecordType> = \.recordType
        let _: Readable<CKQuery, NSPredicate> = \.predicate
        let _: Writable<CKQuery, [NSSortDescriptor]?> = \.sortDescriptors
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKQueryOperation.Cursor.self
        let _: (NSCoder) -> CKQueryOperation.Cursor? = CKQueryOperation.Cursor.init(coder:)
        let _: any (CKDatabaseOperation & Sendable).Type = CKQueryOperation.self
        let _: CKQueryCursor.Type = CKQueryOperation.Cursor.self
        let _: Int = CKQueryOperation.maximumResults
        let _: () -> CKQueryOperation = CKQueryOperation.init
        let _: (CKQuery) -> CKQueryOperation = CKQueryOperation.init(query:)
        let _: (CKQueryOperation.Cursor) -> CKQueryOperation = CKQueryOperation.init(cursor:)
        let _: Writable<CKQueryOperation, CKQuery?> = \.query
        let _: Writable<CKQueryOperation, CKQueryOperation.Cursor?> = \.cursor
        let _: Writable<CKQueryOperation, CKRecordZone.ID?> = \.zoneID
        let _: Writable<CKQueryOperation, Int> = \.resultsLimit
        let _: Writable<CKQueryOperation, [CKRecord.FieldKey]?> = \.desiredKeys
        let _: Writable<CKQueryOperation, ((CKRecord) -> Void)?> = \.recordFetchedBlock
        let _: Writable<CKQueryOperation, ((CKQueryOperation.Cursor?, (any Error)?) -> Void)?> =
            \.queryCompletionBlock
        let _: Writable<CKQueryOperation, ((CKRecord.ID, Outcome<CKRecord>) -> Void)?> = \.recordMatchedBlock
        let _: Writable<CKQueryOperation, ((Outcome<CKQueryOperation.Cursor?>) -> Void)?> = \.queryResultBlock
        let _: NSSortDescriptor.Type = CKLocationSortDescriptor.self
        let _: (String, CLLocation) -> CKLocationSortDescriptor = CKLocationSortDescriptor.init(
            key:relativeLocation:)
        let _: Readable<CKLocationSortDescriptor, CLLocation> = \.relativeLocation
    }
}
