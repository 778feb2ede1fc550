import CloudKit
import CoreLocation
import Foundation

extension Client {
    @available(*, deprecated)
    static func useQuery() {
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKQuery.self
        let _: (NSCoder) -> CKQuery? = CKQuery.init(coder:)
        let _: (CKRecord.RecordType, NSPredicate) -> CKQuery = CKQuery.init(recordType:predicate:)
        let _: KeyPath<CKQuery, CKRecord.RecordType> = \CKQuery.recordType
        let _: KeyPath<CKQuery, NSPredicate> = \CKQuery.predicate
        let _: ReferenceWritableKeyPath<CKQuery, [NSSortDescriptor]?> = \CKQuery.sortDescriptors
    }

    @available(*, deprecated)
    static func useQueryOperationCursor() {
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKQueryOperation.Cursor.self
        let _: (NSCoder) -> CKQueryOperation.Cursor? = CKQueryOperation.Cursor.init(coder:)
    }

    @available(*, deprecated)
    static func useQueryOperation() {
        let _: any (CKDatabaseOperation & Sendable).Type = CKQueryOperation.self
        let _: CKQueryCursor.Type = CKQueryOperation.Cursor.self
        let _: Int = CKQueryOperation.maximumResults
        let _: () -> CKQueryOperation = CKQueryOperation.init
        let _: (CKQuery) -> CKQueryOperation = CKQueryOperation.init(query:)
        let _: (CKQueryOperation.Cursor) -> CKQueryOperation = CKQueryOperation.init(cursor:)
        let _: ReferenceWritableKeyPath<CKQueryOperation, CKQuery?> = \CKQueryOperation.query
        let _: ReferenceWritableKeyPath<CKQueryOperation, CKQueryOperation.Cursor?> = \CKQueryOperation.cursor
        let _: ReferenceWritableKeyPath<CKQueryOperation, CKRecordZone.ID?> = \CKQueryOperation.zoneID
        let _: ReferenceWritableKeyPath<CKQueryOperation, Int> = \CKQueryOperation.resultsLimit
        let _: ReferenceWritableKeyPath<CKQueryOperation, [CKRecord.FieldKey]?> =
            \CKQueryOperation.desiredKeys
        let _: ReferenceWritableKeyPath<CKQueryOperation, ((CKRecord) -> Void)?> =
            \CKQueryOperation.recordFetchedBlock
    }

    @available(*, deprecated)
    static func useQueryOperation2() {
        let _:
            ReferenceWritableKeyPath<CKQueryOperation, ((CKQueryOperation.Cursor?, (any Error)?) -> Void)?> =
                \CKQueryOperation.queryCompletionBlock
        let _:
            ReferenceWritableKeyPath<
                CKQueryOperation,
                ((_ recordID: CKRecord.ID, _ recordResult: Result<CKRecord, any Error>) -> Void)?
            > = \CKQueryOperation.recordMatchedBlock
        let _:
            ReferenceWritableKeyPath<
                CKQueryOperation, ((_ operationResult: Result<CKQueryOperation.Cursor?, any Error>) -> Void)?
            > = \CKQueryOperation.queryResultBlock
    }

    @available(*, deprecated)
    static func useLocationSortDescriptor() {
        let _: NSSortDescriptor.Type = CKLocationSortDescriptor.self
        let _: (String, CLLocation) -> CKLocationSortDescriptor = CKLocationSortDescriptor.init(
            key:relativeLocation:)
        let _: KeyPath<CKLocationSortDescriptor, CLLocation> = \CKLocationSortDescriptor.relativeLocation
    }
}
