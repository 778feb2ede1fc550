package import Cloudlet
import Foundation
package import LocalReplica
import Records

/// Synchronizes a replica with records of the public database.
///
/// The public database has no feed of changes: changed records are found by queries, and records that other
/// people delete stay on the device. An edit is sent with its changed fields only, so that the last writer of
/// each field wins.
package struct PublicRecords: Sendable {
    let database: CKDatabase
    let replica: LocalReplica
    let batchSize: Int

    /// Creates a connection of a replica with the public database of a container.
    package init(container: CKContainer, replica: LocalReplica, batchSize: Int) {
        database = container.publicCloudDatabase
        self.replica = replica
        self.batchSize = batchSize
    }

    /// The zone of the records.
    package static let zone = ZoneID.default

    /// Sends all pending edits. Edits that the server refuses stay pending and keep the reason.
    ///
    /// - Throws: `CKError` if the server cannot be reached or does not serve the person; `ReplicaError`.
    package func send() async throws {
        while true {
            let rows = try await replica.read { try $0.sendable(limit: batchSize) }
            if rows.isEmpty { return }
            try await send(rows)
        }
    }

    private func send(_ rows: [ReplicaRow]) async throws {
        let records = try rows.filter { $0.fields != nil }.map { try replica.record(for: $0) }
        let deletions = rows.filter { $0.fields == nil }.map(\.id.recordID)
        let (saves, deletes) = try await database.modifyRecords(
            saving: records, deleting: deletions, savePolicy: .changedKeys, atomically: false)
        let failure = try await replica.write { writer in
            var failure: (any Error)?
            for row in rows {
                let error: any Error
                switch (saves[row.id.recordID], deletes[row.id.recordID]) {
                case (.success(let record)?, _):
                    try writer.storeSaved(row, as: replica.version(of: record, row))
                    continue
                case (_, .success?):
                    try writer.storeDeletion(row)
                    continue
                case (.failure(let reason)?, _), (_, .failure(let reason)?): error = reason
                case (nil, nil): error = CKError(.internalError)
                }
                switch ErrorDecision(error) {
                case .recordGone where row.fields == nil: try writer.storeDeletion(row)
                case .recordGone where row.tag != nil: try writer.makeNew(row.id)
                case .refuse, .recordGone, .merge, .halve:
                    try writer.refuse(row, because: CloudSync.text(of: error))
                default: failure = error
                }
            }
            return failure
        }
        if let failure { throw failure }
    }

    /// Fetches the records of a type that changed since a moment; nil: all.
    ///
    /// Returns the time of the last change by the server's clock, for the next call; nil if nothing has
    /// changed. Also returns the first error of a record that the server could not return. If such an error
    /// is temporary, the time is that of a change before that record, so that the next call requests it
    /// again.
    ///
    /// - Throws: `CKError` and `ReplicaError`.
    package func fetch(type: String, since: Date?) async throws -> (last: Date?, failure: CKError?) {
        let predicate =
            since.map { NSPredicate(format: "modificationDate >= %@", argumentArray: [$0]) }
            ?? NSPredicate(value: true)
        let query = CKQuery(recordType: type, predicate: predicate)
        query.sortDescriptors = [NSSortDescriptor(key: "modificationDate", ascending: true)]
        var (last, failure): (Date?, CKError?)
        var comesAgain = false
        var page:
            (
                matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
                queryCursor: CKQueryOperation.Cursor?
            )
        do {
            page = try await database.records(matching: query)
        } catch let error as CKError where error.code == .unknownItem {
            // Nobody has saved a record of the type.
            return (nil, nil)
        }
        while true {
            var records: [CKRecord] = []
            for (_, result) in page.matchResults {
                switch result {
                case .success(let record):
                    records.append(record)
                    if !comesAgain { last = record.modificationDate ?? last }
                case .failure(let error):
                    guard let error = error as? CKError else { throw error }
                    failure = failure ?? error
                    comesAgain = comesAgain || error.staysPending
                }
            }
            try await store(records)
            guard let cursor = page.queryCursor else { return (last, failure) }
            page = try await database.records(continuingMatchFrom: cursor)
        }
    }

    /// Stores records that this device has not edited.
    private func store(_ records: [CKRecord]) async throws {
        let versions = try records.map { try replica.keep($0, in: Self.zone) }
        try await replica.write { writer in
            let pending = try writer.reader.pendingNames(in: Self.zone)
            try writer.replace(with: versions.filter { !pending.contains($0.id.name) }, in: Self.zone)
        }
    }
}
