public import Cloudlet
import Foundation

/// Saves lists of records of any length.
///
/// What fits into one request depends on the number of records and on their bytes, and the server may lower
/// both. So nothing is counted here: the whole list is tried, and what the service calls too large is cut in
/// half and tried again, half by half.
///
/// ```swift
/// let tree = try await HalvingSaver(database: container.publicCloudDatabase).save(records)
/// ```
public struct HalvingSaver: Sendable {
    private let database: CKDatabase

    /// A saver for a database.
    public init(database: CKDatabase) { self.database = database }

    /// Saves all records and answers how the list had to be cut.
    ///
    /// Throws the first error of a record that cannot be saved; the records before it stay saved.
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
