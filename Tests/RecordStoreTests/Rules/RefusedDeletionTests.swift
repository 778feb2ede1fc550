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

    @Test("A deletion above the limit of its cascade deletes nothing, and reads no more than the limit")
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

    @Test("A deletion that a reference to the last record of its tree prevents deletes nothing")
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

    @Test("A batch counts the references to a target at the first and at the maximum, however many it adds")
    func fullTarget() throws {
        var (zone, limits) = (CountedZone(), Limits())
        limits.deleteSelfSources = 4
        var batch = WriteBatch(
            operations: (0..<10).map { create("r\($0)", ["to": link("missing", .deleteSelf)]) },
            stamp: Stamp(at: Timestamp(milliseconds: 1), by: "_eve"), schema: Schema(), limits: limits)
        batch.mayWrite = { person, _, creator in person == creator }
        let results = try BatchRules(codec: FieldJSON()).apply(batch, to: &zone).results
        #expect(results.allSatisfy { $0.error == nil })
        // The first four are stored. For the fifth, they are counted again.
        #expect(zone.looks.fullnessCount == 2)
        let stored = try zone.sources(of: "missing", kind: .looseDeleteSelf, after: 0, limit: 10)
        #expect(stored == ["r0", "r1", "r2", "r3"])
    }

    private func list(_ count: Int) -> Fields {
        ["list": Field(.list(.int64, Array(repeating: .int64(7), count: count)))]
    }

    @Test(
        "One request deletes or changes no more list elements than a request may save, and one record always")
    func elements() throws {
        var (zone, limits) = (CountedZone(), Limits())
        limits.elementsPerRequest = 10
        let names = ["a", "b", "c"]
        _ = try apply(names.map { create($0, list(5)) } + [create("d", list(11))], limits, to: &zone)
        #expect(
            try apply(names.map { delete($0) }, limits, to: &zone) == ["-a", "-b", "c: limitExceeded"])
        #expect(try apply([delete("d"), delete("c")], limits, to: &zone) == ["-d", "c: limitExceeded"])
        #expect(try apply([delete("c")], limits, to: &zone) == ["-c"])
    }

    @Test("One request deletes no more bytes of texts than a request may save")
    func texts() throws {
        var (zone, limits) = (CountedZone(), Limits())
        limits.requestBytes = 1000
        let text: Fields = ["text": Field(.string(String(repeating: "x", count: 500)))]
        for name in ["a", "b", "c"] { _ = try apply([create(name, text)], limits, to: &zone) }
        let deletions = ["a", "b", "c"].map { delete($0) }
        #expect(try apply(deletions, limits, to: &zone) == ["-a", "-b", "c: limitExceeded"])
    }

    @Test("A cascade deletes no more list elements than a request may save")
    func cascadeOfLists() throws {
        var (zone, limits) = (CountedZone(), Limits())
        limits.elementsPerRequest = 10
        _ = try apply([create("root")], limits, to: &zone)
        for name in ["a", "b", "c"] {
            var fields = list(5)
            fields["to"] = link("root", .deleteSelf)
            _ = try apply([create(name, fields)], limits, to: &zone)
        }
        #expect(try apply([delete("root")], limits, to: &zone) == ["root: limitExceeded"])
        #expect(zone.deletions == 0)
        #expect(
            try apply([delete("c"), delete("root")], limits, to: &zone) == ["-c", "root: limitExceeded"])
        #expect(try apply([delete("root")], limits, to: &zone) == ["-root"])
    }
}

/// A zone in memory that counts deletions and the record heads that are read.
private struct CountedZone: ZoneTransaction {
    final class Looks {
        var count = 0
        /// How often the references to a target were counted.
        var fullnessCount = 0
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

    func fieldBytes(of ordinal: Int64, named name: String) throws -> Int {
        try base.fieldBytes(of: ordinal, named: name)
    }

    func exists(named name: String) throws -> Bool { try base.exists(named: name) }
    mutating func nextSequence() -> Int64 { base.nextSequence() }
    func usage(of person: String) throws -> StoreUsage { base.usage(of: person) }
    mutating func count(_ change: StoreUsage, by creator: String) { base.count(change, by: creator) }
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

    func sourceCount(of target: String, kind: BindingKind, upTo limit: Int) throws -> Int {
        looks.fullnessCount += 1
        return try base.sourceCount(of: target, kind: kind, upTo: limit)
    }
}
