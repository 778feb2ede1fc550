import CloudSync
import Cloudlet
import Foundation
import GRDB
import LocalReplica
import ObjectModel
import Records

/// Mirrors a store of the public database by queries: that database has no feed, no zones and no shares.
struct PublicMirror: Sendable {
    let store: MirroredStore
    let records: PublicRecords

    /// Sends the changes of objects, and then fetches those of other people. Objects that other people delete
    /// stay.
    func mirror() async throws -> SyncStatus {
        let (toSend, isSetUp) = try await store.replica.read { reader in
            (try reader.sendableCount(), try reader.scope() != nil)
        }
        var events: [String] = []
        if !isSetUp { events.append(try await store.begin(.setup)) }
        if toSend > 0 { events.append(try await store.begin(.export)) }
        var problem: String?
        do {
            try await exchange()
        } catch let error as CKError {
            problem = error.localizedDescription
            if events.isEmpty { events.append(try await store.begin(.import)) }
        } catch {
            for event in events { try await store.end(event, error: "\(error)") }
            throw error
        }
        for event in events { try await store.end(event, error: problem) }
        try await store.importChanges()
        return SyncStatus(
            problem == nil ? .idle : .waiting, why: problem ?? "everything is in step",
            until: problem.map { _ in store.settings.now().addingTimeInterval(store.settings.pollInterval) })
    }

    private func exchange() async throws {
        let person = try await signedIn()
        try await store.replica.write { writer in
            try writer.setScope("public")
            if let person { try writer.setAccount(person) }
        }
        try await records.send()
        for type in store.layout.roots.map(RecordTranslation.type) + [RecordTranslation.pairType] {
            let since = try await store.replica.read { try $0.publicTime(of: type) }
            if let last = try await records.fetch(type: type, since: since) {
                try await store.replica.write { try $0.setPublicTime(of: type, last) }
            }
        }
    }

    /// The record name of the signed-in person; nil if nobody is signed in: then the store can only be read.
    private func signedIn() async throws -> String? {
        do { return try await store.container?.userRecordID().recordName } catch let error as CKError
            where error.code == .notAuthenticated
        {
            return nil
        }
    }

    /// Mirrors at intervals, and after each change on this device. Returns only if the task is cancelled.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    while true {
                        _ = try await mirror()
                        try await store.settings.pause(.seconds(store.settings.pollInterval))
                    }
                } catch is CancellationError {}
            }
            group.addTask {
                do {
                    for try await edits in store.replica.observe({ try $0.editCount() }) where edits > 0 {
                        _ = try await mirror()
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
