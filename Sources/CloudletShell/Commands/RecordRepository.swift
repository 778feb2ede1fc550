import Cloudlet
import CommandShell
import Foundation

/// Reads and writes records of any type.
struct RecordRepository: Sendable {
    /// A field and its new value.
    struct Change: Equatable, Sendable {
        enum Value: Equatable, Sendable {
            case text(String)
            case whole(Int64)
            case real(Double)
            /// A reference to a record, in a zone if one is named. If `isOwner` is true, deleting that record
            /// also deletes the record with the reference.
            case reference(record: String, zone: String?, isOwner: Bool)
        }

        let field: String
        /// The new value; nil removes the field.
        let value: Value?
    }

    /// The largest page that the server accepts.
    private static let largestPage = 200

    let database: CKDatabase
    /// The zone of the records; nil for the default zone.
    var zone: String?

    /// Sets fields of a record regardless of its change tag, and creates it if necessary.
    func save(_ type: String, _ name: String, _ changes: [Change]) async throws -> CKRecord {
        let record = CKRecord(recordType: type, recordID: id(name, in: zone))
        for change in changes {
            switch change.value {
            case .text(let text): record[change.field] = text
            case .whole(let number): record[change.field] = number
            case .real(let number): record[change.field] = number
            case .reference(let target, let zone, let isOwner):
                record[change.field] = CKRecord.Reference(
                    recordID: id(target, in: zone ?? self.zone), action: isOwner ? .deleteSelf : .none)
            case nil: record[change.field] = nil
            }
        }
        if let zone, zone != CKRecordZone.ID.defaultZoneName {
            try await database.save(CKRecordZone(zoneName: zone))
        }
        let answer = try await database.modifyRecords(
            saving: [record], deleting: [], savePolicy: .changedKeys)
        return try answer.saveResults[record.recordID]?.get() ?? record
    }

    /// The record with that name.
    func record(named name: String) async throws -> CKRecord {
        try await database.record(for: id(name, in: zone))
    }

    /// Deletes the record with that name, and the records that it owns.
    func delete(_ name: String) async throws {
        try await database.deleteRecord(withID: id(name, in: zone))
    }

    /// The first records of a type that match a condition in the syntax of `NSPredicate`, and whether there
    /// are more.
    func find(
        _ type: String, where condition: String?, limit: Int
    ) async throws -> (records: [CKRecord], hasMore: Bool) {
        let predicate = condition.map { NSPredicate(format: $0) } ?? NSPredicate(value: true)
        let zoneID = zone.map { CKRecordZone.ID(zoneName: $0) }
        let answer = try await database.records(
            matching: CKQuery(recordType: type, predicate: predicate), inZoneWith: zoneID,
            resultsLimit: min(limit, Self.largestPage))
        return (try answer.matchResults.map { try $0.1.get() }, answer.queryCursor != nil)
    }

    private func id(_ name: String, in zone: String?) -> CKRecord.ID {
        zone.map { CKRecord.ID(recordName: name, zoneID: CKRecordZone.ID(zoneName: $0)) }
            ?? CKRecord.ID(recordName: name)
    }
}
