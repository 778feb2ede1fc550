import Cloudlet
import Foundation

/// Saves confetti records in the public database.
struct ConfettiRepository: Sendable {
    static let recordType = "Confetti"

    let database: CKDatabase

    /// Saves one record for each identifier in as few requests as possible.
    func save(_ ids: [String]) async throws -> BatchTree {
        try await HalvingSaver(database: database).save(records(ids))
    }

    /// Saves the records one at a time, which costs one request each.
    func saveOneByOne(_ ids: [String]) async throws {
        for record in records(ids) { try await database.save(record) }
    }

    private func records(_ ids: [String]) -> [CKRecord] {
        ids.enumerated().map { index, id in
            let record = CKRecord(recordType: Self.recordType, recordID: CKRecord.ID(recordName: id))
            record["number"] = index + 1
            return record
        }
    }
}
