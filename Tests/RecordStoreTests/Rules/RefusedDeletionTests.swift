import Records
import RecordsWire
import Testing

@testable import RecordStore
@testable import TestKit

@Suite("Deletions that are refused")
struct RefusedDeletionTests {
    /// A tree of delete-self references: a root, `branches` records below it, and `leaves` below each.
    private func tree(branches: Int, leaves: Int) -> [RecordOperation] {
        [create("root")] + (0..<branches).map { create("b\($0)", ["to": link("root", .deleteSelf)]) }
            + (0..<branches).flatMap { branch in
                (0..<leaves).map { create("l\(branch).\($0)", ["to": link("b\(branch)", .deleteSelf)]) }
            }
    }

    private func apply(
        _ operations: [RecordOperation], _ limits: Limits, to zone: inout CountedZone
    ) throws -> [String] {
        let batch = WriteBatch(
            operations: operations, stamp: Stamp(at: Timestamp(milliseconds: 1), by: "_alice"),
            schema: Schema(), limits: limits)
        return try BatchRules(codec: FieldJSON()).apply(batch, to: &zone).results.map(\.brief)
    }

    @Test("A deletion that would take too many records along deletes none, and looks at no more than it may")
    func tooMany() throws {
        var (zone, limits) = (CountedZone(), Limits())
        limits.cascadeRecords = 50
        _ = try apply(tree(branches: 10, leaves: 20), limits, to: &zone)
        let before = zone.looks.count
        #expect(try apply([delete("root")], limits, to: &zone) == ["root: limitExceeded"])
        #expect(zone.deletions == 0)
        #expect(zone.looks.count - before <= 51)
        limits.cascadeRecords = 210
        #expect(try apply([delete("root")], limits, to: &zone) == ["-root"])
        #expect(zone.deletions == 211)
    }

    @Test("A deletion that a reference to the last record of its tree holds up deletes none")
    func held() throws {
        var (zone, limits) = (CountedZone(), Limits())
        limits.cascadeRecords = 210
        let judge = create("judge", ["to": link("l9.19", .validate)])
        _ = try apply(tree(branches: 10, leaves: 20) + [judge], limits, to: &zone)
        #expect(try apply([delete("root")], limits, to: &zone) == ["root: validatingReference"])
        #expect(zone.deletions == 0)
        #expect(try apply([delete("judge"), delete("root")], limits, to: &zone) == ["-judge", "-root"])
        #expect(zone.deletions == 212)
    }
}

/// A zone in memory that counts deletions and the heads that are looked at.
private struct CountedZone: ZoneTransaction {
    final class Looks {
        var count = 0
    }

    private var base: MemoryTransaction
    let looks = Looks()
    private(set) var deletions = 0

    init() {
        let state = MemoryState(
            identity: 1, notificationLimits: NotificationLimits(), codec: FieldJSON())
        base = MemoryTransaction(
            state: state, zone: MemoryZone(id: 1, name: ZoneID.defaultName, sequence: 0))
    }

    var usage: StoreUsage { base.usage }

    func record(named name: String) throws -> (stored: StoredRecord, ordinal: Int64)? {
        try base.record(named: name)
    }

    func head(named name: String) throws -> (stored: StoredRecord, ordinal: Int64)? {
        looks.count += 1
        return try base.head(named: name)
    }

    func exists(named name: String) throws -> Bool { try base.exists(named: name) }
    mutating func nextSequence() -> Int64 { base.nextSequence() }
    mutating func count(_ change: StoreUsage) { base.count(change) }
    mutating func insert(_ record: WrittenRecord) throws { try base.insert(record) }

    mutating func update(_ old: WrittenRecord, to new: WrittenRecord) throws {
        try base.update(old, to: new)
    }

    mutating func touch(_ head: StoredRecord, _ ordinal: Int64, modified: Stamp, sequence: Int64) throws {
        base.touch(head, ordinal, modified: modified, sequence: sequence)
    }

    mutating func delete(_ old: WrittenRecord, sequence: Int64) throws {
        deletions += 1
        try base.delete(old, sequence: sequence)
    }

    mutating func rebind(_ source: Int64, _ name: String, from old: Binding, to new: Binding?) throws {
        base.rebind(source, name, from: old, to: new)
    }

    func sources(
        of target: String, kind: BindingKind, after ordinal: Int64, limit: Int
    ) throws -> [String] {
        try base.sources(of: target, kind: kind, after: ordinal, limit: limit)
    }

    func hasSources(of target: String) throws -> Bool { try base.hasSources(of: target) }

    func hasSources(of target: String, kind: BindingKind, count: Int) throws -> Bool {
        try base.hasSources(of: target, kind: kind, count: count)
    }
}
