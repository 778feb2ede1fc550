public import Cloudlet
import Foundation

/// Saves lists of records of any length.
///
/// The size that fits into one request depends on the number of records and on their bytes, and the server
/// may lower both limits. So the saver does not calculate a size: it first saves the whole list. If that
/// fails with `limitExceeded`, the saver saves each half separately, and splits it again if necessary. A list
/// beyond a limit that the framework knows fails without a request.
///
/// ```swift
/// let tree = try await HalvingSaver(database: container.publicCloudDatabase).save(records)
/// ```
public struct HalvingSaver: Sendable {
    private let database: CKDatabase

    /// Creates a saver for a database.
    public init(database: CKDatabase) { self.database = database }

    /// Saves all records, and returns how the list was split.
    ///
    /// Throws the first error of a record that cannot be saved. The other records of the same request and of
    /// earlier requests remain saved.
    @discardableResult
    public func save(_ records: [CKRecord]) async throws -> BatchTree {
        do {
            try await saveInOneRequest(records)
            return .saved(records.count)
        } catch let error as CKError where error.code == .limitExceeded && records.count > 1 {
            return try await saveInHalves(records)
        }
    }

    private func saveInHalves(_ records: [CKRecord]) async throws -> BatchTree {
        let middle = records.count / 2
        let first = try await save(Array(records[..<middle]))
        let second = try await save(Array(records[middle...]))
        return .halved(records.count, first: first, second: second)
    }

    private func saveInOneRequest(_ records: [CKRecord]) async throws {
        let answer = try await database.modifyRecords(saving: records, deleting: [], atomically: false)
        for record in records { _ = try answer.saveResults[record.recordID]?.get() }
    }
}
