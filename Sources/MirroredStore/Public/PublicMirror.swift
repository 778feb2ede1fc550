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
    private let container: CKContainer

    /// The mirroring of a store; nil if its database is not the public one.
    init?(of store: MirroredStore) {
        guard store.scope == .public, let container = store.container else { return nil }
        (self.store, self.container) = (store, container)
    }

    /// Sends the changes of objects, and fetches those of other people, also if sending fails. Objects that
    /// other people delete stay.
    func mirror() async throws -> SyncStatus {
        let (toSend, isSetUp) = try await store.replica.read { reader in
            (try reader.sendableCount(), try reader.scope() != nil)
        }
        var events: [String] = []
        if !isSetUp { events.append(try await store.begin(.setup)) }
        if toSend > 0 { events.append(try await store.begin(.export)) }
        let status: SyncStatus
        do { status = try await exchange() } catch {
            for event in events { try await store.end(event, error: "\(error)") }
            throw error
        }
        let problem = status.activity == .idle ? nil : status.why
        if problem != nil, events.isEmpty { events.append(try await store.begin(.import)) }
        for event in events { try await store.end(event, error: problem) }
        try await store.importChanges()
        return status
    }

    /// Sends and fetches as the signed-in person, and returns the status. Without a sign-in, only fetches.
    private func exchange() async throws -> SyncStatus {
        let person: CKContainer?
        do { person = try await identify() } catch let error as CKError {
            return waiting(for: error)
        } catch let error as SyncBlocked {
            return error.status
        }
        var problem: CKError?
        let toSend = try await store.replica.read { try $0.sendableCount() }
        if toSend > 0 {
            do {
                guard let person else { throw CKError.nobodySignedIn }
                try await records(of: person).send()
            } catch let error as CKError {
                problem = error
            }
        }
        let records = records(of: person ?? container)
        for type in store.layout.roots.map(RecordTranslation.type) + [RecordTranslation.pairType] {
            do { try await fetch(type, from: records) } catch let error as CKError {
                problem = problem ?? error
                if error.staysPending { break }
            }
        }
        return problem.map(waiting) ?? SyncStatus(.idle, why: "everything is in sync", until: nil)
    }

    private func records(of container: CKContainer) -> PublicRecords {
        PublicRecords(container: container, replica: store.replica, batchSize: store.settings.batchSize)
    }

    private func fetch(_ type: String, from records: PublicRecords) async throws {
        let since = try await store.replica.read { try $0.publicTime(of: type) }
        let (last, failure) = try await records.fetch(type: type, since: since)
        if let last { try await store.replica.write { try $0.setPublicTime(of: type, last) } }
        if let failure { throw failure }
    }

    private func waiting(for error: CKError) -> SyncStatus {
        let until = error.retryAfterSeconds.map { store.settings.now().addingTimeInterval($0) }
        return SyncStatus(.waiting, why: error.localizedDescription, until: until)
    }

    /// The container for requests of the signed-in person only; nil if nobody is signed in: then the store
    /// can only be read.
    ///
    /// - Throws: `SyncBlocked` if somebody else is signed in than the owner of the data.
    private func identify() async throws -> CKContainer? {
        let replica = store.replica
        let bound: CKContainer
        let person: String
        do {
            bound = try container.boundToPerson()
            person = try await bound.userRecordID().recordName
        } catch let error as CKError where error.code == .notAuthenticated {
            try await replica.write { try $0.setScope("public") }
            return nil
        }
        let owner = try await replica.write { writer in
            try writer.setScope("public")
            if let owner = try writer.reader.account() { return owner }
            try writer.setAccount(person)
            return person
        }
        if owner == person { return bound }
        throw SyncBlocked(status: .blocked(by: try await bound.knows(owner) ? .otherPerson : .unknownOwner))
    }

    /// Mirrors at intervals, and after each change on this device. Returns only if the task is cancelled.
    func run() async throws {
        let changed = WakeSignal(none: ())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do { try await mirrorAgain(changed) } catch is CancellationError {}
            }
            group.addTask {
                do {
                    try await store.replica.observeEdits { changed.send() }
                } catch is CancellationError {}
            }
            while try await group.next() != nil {}
        }
    }

    /// Mirrors whenever the signal is sent or a wait ends. After a failure, the wait begins at one second,
    /// and doubles with each failure up to five minutes. It is at least as long as the server asks for, but
    /// never longer than `Settings.pollInterval`.
    private func mirrorAgain(_ changed: WakeSignal<Void>) async throws {
        var backoff = Backoff(longest: 300)
        while true {
            _ = changed.take()
            let status = try await mirror()
            var seconds = store.settings.pollInterval
            if status.activity == .waiting {
                let asked = status.until?.timeIntervalSince(store.settings.now()) ?? 0
                seconds = min(seconds, max(asked, TimeInterval(backoff.next())))
            } else {
                backoff.connected()
            }
            let wait = Duration.seconds(seconds)
            try await untilFirstEnds {
                try await changed.wait()
            } or: {
                try await store.settings.pause(wait)
            }
        }
    }
}

extension ReplicaReader {
    /// The time of the last fetched change of a type; nil if there is none.
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
