// The environment of a store test: the store, a clock, and a schema that grows with saved records.

import Foundation
import RecordStore
import Records
import RecordsWire
import Synchronization
import Testing

@testable import TestKit

/// A store that can tell tests about its engine.
protocol InspectedStore: RecordStore {
    /// What is wrong with the store's tables, one fault in each line.
    func faults() async throws -> [String]

    /// The names of the indexes of record types.
    func indexNames() async throws -> [String]

    /// Whether the engine would read all records of a type to answer a query.
    func scansType(_ plan: QueryPlan) async throws -> Bool
}

/// Runs a test with a new store, then checks the store's consistency, closes it and deletes its folder.
func withWorld(_ kind: StoreKind, _ body: (World) async throws -> Void) async throws {
    try await withFolder { folder in
        let world = World(store: try kind.open(in: folder))
        try await body(world)
        try await world.finish()
    }
}

/// A store with the clock and the schema that a server keeps for it. Each commit happens one second after the
/// previous one.
final class World: Sendable {
    let store: any RecordStore
    private let clock: Mutex<Int64>
    private let grown: Mutex<Schema>

    init(store: any RecordStore, schema: Schema = Schema(), time: Int64 = 0) {
        self.store = store
        clock = Mutex(time)
        grown = Mutex(schema)
    }

    var schema: Schema { grown.withLock { $0 } }

    func declare(_ change: @Sendable (inout Schema) -> Void) {
        grown.withLock { change(&$0) }
    }

    /// Checks the store's consistency and closes it.
    func finish() async throws {
        if let inspected = store as? any InspectedStore { #expect(try await inspected.faults() == []) }
        try await store.close()
    }
}

// MARK: - Writing

extension World {
    /// Commits operations one second after the last commit, or at a time in milliseconds.
    @discardableResult
    func commit(
        _ operations: [RecordOperation], zone: String = ZoneID.defaultName, atomic: Bool = false,
        by person: String = "_alice", at time: Int64? = nil, limits: Limits = Limits(),
        quota: StoreQuota? = nil, from device: String? = nil, named name: ClientChange? = nil,
        amongStrangers: Bool = false, as participant: String? = nil,
        paying followed: FollowedRecords? = nil,
        authorize: @escaping WriteBatch.Authorization = { _, _ in nil },
        reserve: WriteBatch.Reservation? = nil
    ) async throws -> [ItemResult] {
        let now = clock.withLock { clock in
            clock = time ?? clock + 1000
            return clock
        }
        let schema = grown.withLock { schema in
            for operation in operations { schema.grow(by: operation) }
            return schema
        }
        var batch = WriteBatch(
            zone: zone, operations: operations, isAtomic: atomic,
            stamp: Stamp(at: Timestamp(milliseconds: now), by: person, device: device), schema: schema,
            limits: limits, quota: quota, authorize: authorize
        )
        batch.clientChange = name
        batch.reserve = reserve
        batch.followed = followed
        batch.participant = participant
        batch.owner = "_alice"
        if let participant { batch.stamp.by = participant }
        if amongStrangers { batch.mayWrite = { person, _, creator in person == creator } }
        return try await store.commit(batch)
    }

    /// Commits one operation that must succeed and returns the record.
    @discardableResult
    func save(
        _ operation: RecordOperation, zone: String = ZoneID.defaultName, by person: String = "_alice",
        at time: Int64? = nil
    ) async throws -> StoredRecord {
        let results = try await commit([operation], zone: zone, by: person, at: time)
        guard case .record(let record)? = results.first else {
            throw Unexpected(text: "\(operation.kind) gave \(results.map(\.brief))")
        }
        return record
    }

    /// Creates a record that must not exist yet.
    @discardableResult
    func create(
        _ name: String, type: String = "Party", _ fields: Fields = [:], zone: String = ZoneID.defaultName,
        by person: String = "_alice", at time: Int64? = nil
    ) async throws -> StoredRecord {
        try await save(
            RecordOperation(.create, recordName: name, recordType: type, fields: fields), zone: zone,
            by: person,
            at: time
        )
    }

    /// The result of each operation, in one word.
    func outcome(
        _ operations: [RecordOperation], zone: String = ZoneID.defaultName, atomic: Bool = false,
        limits: Limits = Limits()
    ) async throws -> [String] {
        try await commit(operations, zone: zone, atomic: atomic, limits: limits).map(\.brief)
    }
}

// MARK: - Reading

extension World {
    func fetch(_ name: String, zone: String = ZoneID.defaultName) async throws -> Record? {
        try await store.records(named: [name], in: zone).first.flatMap { $0 }?.decoded(by: FieldJSON())
    }

    /// The names of all existing records of a zone, in the order of their last change.
    func names(in zone: String = ZoneID.defaultName) async throws -> [String] {
        try await changes(in: zone, page: 500).compactMap { change in
            if case .saved(let record) = change { record.id.name } else { nil }
        }
    }

    /// All changes of a zone, fetched in small pages.
    func changes(
        in zone: String = ZoneID.defaultName, since token: ChangeToken? = nil, isReversed: Bool = false,
        page size: Int = 2
    ) async throws -> [Change] {
        var all: [Change] = []
        var request = ChangesRequest(zone: zone, since: token, limit: size, isReversed: isReversed)
        while true {
            let page = try await store.changes(request)
            all += page.changes
            if !page.moreComing { return all }
            request.since = page.token
        }
    }

    /// The complete state of the store, one line per item.
    func state() async throws -> [String] {
        var lines: [String] = []
        for zone in try await store.zones() {
            lines.append("zone \(zone.id.name) \(zone.isAtomic) \(zone.syncToken?.bytes ?? [])")
            for change in try await changes(in: zone.id.name) { lines.append(try change.line()) }
        }
        for file in try await store.releasedAssets(limit: .max) { lines.append("released \(file)") }
        lines.append("usage \(try await store.usage())")
        return lines
    }
}

/// An unexpected result in a test.
struct Unexpected: Error, CustomStringConvertible {
    var text: String
    var description: String { text }
}
