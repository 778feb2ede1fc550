import Cloudlet
import Foundation

/// Confetti in the public database.
struct ConfettiRepository: Sendable {
    static let recordType = "Confetti"

    let database: CKDatabase

    /// Saves one piece for each identifier, all in as few requests as can be.
    func scatter(_ ids: [String]) async throws -> BatchTree {
        try await HalvingSaver(database: database).save(records(ids))
    }

    /// Saves one piece after the other: the loop that costs a request for each.
    func scatterOneByOne(_ ids: [String]) async throws {
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
