// Owns storing records of any type, with fields that the app's models know nothing of.
import Cloudlet
import Foundation

/// Public records as they are.
struct RecordRepository: Sendable {
    /// A field and its new value.
    struct Change: Equatable, Sendable {
        enum Value: Equatable, Sendable {
            case text(String)
            case whole(Int64)
            case real(Double)
        }

        let field: String
        /// Nothing removes the field.
        let value: Value?
    }

    let database: CKDatabase

    /// Writes fields of a record, which is made if it is new, over whatever is there.
    func save(_ type: String, _ name: String, _ changes: [Change]) async throws -> CKRecord {
        let record = CKRecord(recordType: type, recordID: CKRecord.ID(recordName: name))
        for change in changes {
            switch change.value {
            case .text(let text): record[change.field] = text
            case .whole(let number): record[change.field] = number
            case .real(let number): record[change.field] = number
            case nil: record[change.field] = nil
            }
        }
        let answer = try await database.modifyRecords(
            saving: [record], deleting: [], savePolicy: .changedKeys)
        return try answer.saveResults[record.recordID]?.get() ?? record
    }

    /// The record of that name.
    func record(named name: String) async throws -> CKRecord {
        try await database.record(for: CKRecord.ID(recordName: name))
    }
}
