public import Cloudlet
import Foundation

/// Saves the records that are missing or different on the server, and skips the others.
public struct Importer: Sendable {
    /// The counts of an import.
    public struct Tally: Equatable, Sendable {
        /// The number of records that were created.
        public var new = 0
        /// The number of records that were changed.
        public var changed = 0
        /// The number of records that were skipped because they are equal.
        public var unchanged = 0
    }

    private static let largestBatch = 200

    private let database: CKDatabase

    /// Creates an importer for a database.
    public init(database: CKDatabase) { self.database = database }

    /// Imports records in their order, in batches. An existing record gets the values that differ, and keeps
    /// its other fields. Throws the first error; what was saved before remains saved.
    public func importRecords(_ records: [CKRecord]) async throws -> Tally {
        var tally = Tally()
        for start in stride(from: 0, to: records.count, by: Self.largestBatch) {
            let batch = records[start..<min(start + Self.largestBatch, records.count)]
            let there = try await database.records(for: batch.map(\.recordID))
            var saves: [CKRecord] = []
            for record in batch {
                switch there[record.recordID] {
                case .success(let old):
                    let differing = record.allKeys().filter { !Self.isSame(old[$0], record[$0]) }
                    if differing.isEmpty {
                        tally.unchanged += 1
                        continue
                    }
                    for key in differing { old[key] = record[key] }
                    saves.append(old)
                    tally.changed += 1
                case .failure(let error as CKError) where error.code == .unknownItem:
                    saves.append(record)
                    tally.new += 1
                case .failure(let error): throw error
                case nil: throw CKError(.internalError)
                }
            }
            if saves.isEmpty { continue }
            let answer = try await database.modifyRecords(
                saving: saves, deleting: [], savePolicy: .ifServerRecordUnchanged, atomically: false)
            for result in answer.saveResults.values { _ = try result.get() }
        }
        return tally
    }

    /// Whether both values are equal. Dates are compared to the millisecond, because the server stores
    /// milliseconds.
    private static func isSame(_ old: Any?, _ new: Any?) -> Bool {
        switch (old, new) {
        case (let old as Date, let new as Date): abs(old.timeIntervalSince(new)) < 0.001
        case (let old as CLLocation, let new as CLLocation):
            old.coordinate.latitude == new.coordinate.latitude
                && old.coordinate.longitude == new.coordinate.longitude
        case (let old as NSObject, let new as NSObject): old.isEqual(new)
        case (let old as String, let new as String): old == new
        case (let old as Int, let new as Int): old == new
        case (let old as Double, let new as Double): old == new
        default: false
        }
    }
}
