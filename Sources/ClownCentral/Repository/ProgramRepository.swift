import Cloudlet
import Foundation

/// The programs of shows in the public database, each a tree of items.
struct ProgramRepository: Sendable {
    let database: CKDatabase

    /// Saves all items in one operation, in any order. The server stores every item after its parent, so that
    /// no reader sees an item whose parent is missing.
    ///
    /// Returns the change tags of the stored records in the order of `items`.
    func save(_ items: [ProgramItem]) async throws -> [String] {
        let records = items.map(\.record)
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let operation = CKModifyRecordsOperation(recordsToSave: records)
            // A person is waiting for the result.
            operation.qualityOfService = .userInitiated
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

    /// The number of these items that exist on the server. Throws if the server cannot tell for one of them.
    func count(_ items: [ProgramItem]) async throws -> Int {
        let recordIDs = items.map { CKRecord.ID(recordName: $0.id) }
        let found = try await database.records(for: recordIDs, desiredKeys: [])
        return try found.values.compactMap { try $0.unlessMissing() }.count
    }
}
