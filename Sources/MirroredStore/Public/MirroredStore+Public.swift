import CloudSync
import Cloudlet
import Foundation
import GRDB
import LocalReplica
import ObjectModel
import Records

// A store of the public database is mirrored by queries: that database has no feed, no zones and no shares.
extension MirroredStore {
    /// Sends the changes of objects, and then fetches those of other people. Objects that other people delete
    /// stay.
    func mirrorPublic(_ records: PublicRecords) async throws -> SyncStatus {
        let (toSend, isSetUp) = try await replica.read { reader in
            (try reader.sendableCount(), try reader.scope() != nil)
        }
        var events: [String] = []
        if !isSetUp { events.append(try await begin(.setup)) }
        if toSend > 0 { events.append(try await begin(.export)) }
        var problem: String?
        do {
            try await exchange(records)
        } catch let error as CKError {
            problem = error.localizedDescription
            if events.isEmpty { events.append(try await begin(.import)) }
        }
        for event in events { try await end(event, error: problem) }
        try await importChanges()
        return SyncStatus(
            problem == nil ? .idle : .waiting, why: problem ?? "everything is in step",
            until: problem.map { _ in settings.now().addingTimeInterval(settings.pollInterval) })
    }

    private func exchange(_ records: PublicRecords) async throws {
        let person = try await signedIn()
        try await replica.write { writer in
            try writer.setScope("public")
            if let person { try writer.setAccount(person) }
        }
        try await records.send()
        for type in layout.roots.map(RecordTranslation.type) + [RecordTranslation.pairType] {
            let since = try await replica.read { try $0.publicTime(of: type) }
            if let last = try await records.fetch(type: type, since: since) {
                try await replica.write { try $0.setPublicTime(of: type, last) }
            }
        }
    }

    /// The record name of the signed-in person; nil if nobody is signed in: then the store can only be read.
    private func signedIn() async throws -> String? {
        do { return try await container?.userRecordID().recordName } catch let error as CKError
            where error.code == .notAuthenticated
        {
            return nil
        }
    }

    /// Mirrors at intervals, and after each change on this device. Returns only if the task is cancelled.
    func runPublic(_ records: PublicRecords) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    while true {
                        _ = try await self.mirrorPublic(records)
                        try await self.settings.pause(.seconds(self.settings.pollInterval))
                    }
                } catch is CancellationError {}
            }
            group.addTask {
                do {
                    for try await edits in self.replica.observe({ try $0.editCount() }) where edits > 0 {
                        _ = try await self.mirrorPublic(records)
                    }
                } catch is CancellationError {}
            }
            while try await group.next() != nil {}
        }
    }
}

extension ReplicaReader {
    /// The time of the last change that was fetched of a type; nil: none.
    fileprivate func publicTime(of type: String) throws -> Date? {
        try Int64.fetchOne(
            database, sql: "SELECT since FROM mirrored_public WHERE type = ?", arguments: [type]
        ).map { Date(timeIntervalSince1970: Double($0) / 1000) }
    }

    /// Whether the person may change a record of the public database: its creator may.
    func mayWritePublic(_ name: String) throws -> Bool {
        guard let creator = try creator(of: RecordID(name: name, zone: PublicRecords.zone)) else {
            return true
        }
        return try creator == RecordTranslation.currentUser || creator == account()
    }
}

extension ReplicaWriter {
    fileprivate func setPublicTime(of type: String, _ time: Date) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO mirrored_public VALUES (?, ?)",
            arguments: [type, Timestamp(time).milliseconds])
    }
}
