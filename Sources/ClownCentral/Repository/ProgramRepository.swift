import Cloudlet
import Foundation

/// Programs in the public database.
struct ProgramRepository: Sendable {
    let database: CKDatabase

    /// Saves all lines with one operation, in any order: the server puts every line after the one that it
    /// stands under, so that no reader meets a line before the one above it.
    ///
    /// Answers the change tags of the stored records in the order of `items`.
    func save(_ items: [ProgramItem]) async throws -> [String] {
        let records = items.map(\.record)
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let operation = CKModifyRecordsOperation(recordsToSave: records)
            operation.modifyRecordsCompletionBlock = { _, _, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume()
                }
            }
            database.add(operation)
        }
        return records.map { $0.recordChangeTag ?? "" }
    }

    /// How many of these lines the server has.
    func count(_ items: [ProgramItem]) async throws -> Int {
        let recordIDs = items.map { CKRecord.ID(recordName: $0.id) }
        let found = try await database.records(for: recordIDs, desiredKeys: [])
        return found.values.count { (try? $0.get()) != nil }
    }
}
