import RecordStore
import Records
import RecordsWire
import Synchronization
import Testing

@Suite("The records that a save reads")
struct HeadReadingTests {
    @Test("References and touched parents are checked by reading heads only")
    func references() throws {
        var zone = NotedZone(["target", "parent", "source"])
        var batch = WriteBatch(
            operations: [
                create("a", ["to": link("target", .validate)], parent: "parent"),
                create("b", ["to": link("target", .deleteSelf)], parent: "parent"),
            ],
            stamp: NotedZone.stamp, schema: Schema())
        batch.mayWrite = { _, _, _ in true }
        let outcome = try BatchRules(codec: FieldJSON()).apply(batch, to: &zone)
        #expect(outcome.results.map(\.brief) == ["a", "b"])
        #expect(zone.readWhole == ["a", "b"])
        #expect(zone.touched == ["parent"])
    }

    @Test("References of strangers to a full target are found by reading heads only")
    func strangers() throws {
        var zone = NotedZone(["target", "source"], isFull: true)
        var batch = WriteBatch(
            operations: [create("a", ["to": link("target", .deleteSelf)])], stamp: NotedZone.stamp,
            schema: Schema())
        batch.mayWrite = { _, _, _ in true }
        let outcome = try BatchRules(codec: FieldJSON()).apply(batch, to: &zone)
        #expect(outcome.results.map(\.brief) == ["a: limitExceeded"])
        #expect(zone.readWhole == ["a"])
    }

    @Test(
        "A touched record is read whole only for a subscription to updates of its type",
        arguments: [(false, ["a"]), (true, ["a", "parent"])])
    func subscriptions(isAsked: Bool, read: [String]) throws {
        var zone = WatchedTransaction(
            NotedZone(["parent"]), codec: FieldJSON(), asksForUpdates: { $0 == "Party" && isAsked })
        let batch = WriteBatch(
            operations: [create("a", parent: "parent")], stamp: NotedZone.stamp, schema: Schema())
        _ = try BatchRules(codec: FieldJSON()).apply(batch, to: &zone)
        #expect(zone.base.readWhole == read)
        #expect(zone.changes.map(\.record.stored.id.name) == ["a", "parent"])
        #expect(zone.changes.map(\.record.stored.sequence) == [1, 2])
    }
}

/// A zone that records which of its records are read with their fields.
private struct NotedZone: ZoneTransaction {
    static let stamp = Stamp(at: Timestamp(milliseconds: 1), by: "_alice", device: nil)

    private let names: [String]
    private let isFull: Bool
    private let read = Noted()
    private(set) var touched: [String] = []
    private var sequence: Int64 = 0

    private final class Noted: Sendable {
        let names = Mutex<[String]>([])
    }

    init(_ names: [String], isFull: Bool = false) {
        self.names = names
        self.isFull = isFull
    }

    var readWhole: [String] { read.names.withLock { $0 } }
    var usage: StoreUsage { StoreUsage() }

    func record(named name: String) throws -> (stored: StoredRecord, ordinal: Int64)? {
        read.names.withLock { $0.append(name) }
        return try head(named: name)
    }

    func head(named name: String) throws -> (stored: StoredRecord, ordinal: Int64)? {
        guard names.contains(name) else { return nil }
        let stored = StoredRecord(
            id: RecordID(name: name), type: "Party", fields: FieldJSON().encode([:]), created: Self.stamp,
            modified: Self.stamp, sequence: 0)
        return (stored, 0)
    }

    func fieldBytes(of ordinal: Int64, named name: String) throws -> Int { 0 }

    func exists(named name: String) throws -> Bool { names.contains(name) }

    mutating func nextSequence() -> Int64 {
        sequence += 1
        return sequence
    }

    func usage(of person: String) throws -> StoreUsage { StoreUsage() }
    mutating func count(_ change: StoreUsage, by creator: String) {}
    mutating func insert(_ record: WrittenRecord) throws {}
    mutating func update(_ old: WrittenRecord, to new: WrittenRecord) throws {}
    mutating func delete(_ old: WrittenRecord, sequence: Int64) throws {}
    mutating func rebind(_ source: Int64, _ name: String, from old: Binding, to new: Binding?) throws {}

    mutating func touch(_ head: StoredRecord, _ ordinal: Int64, modified: Stamp, sequence: Int64) throws {
        touched.append(head.id.name)
    }

    func sources(
        of target: String, kind: BindingKind, after ordinal: Int64, limit: Int
    ) throws -> [String] { ordinal == 0 ? ["source"] : [] }
    func hasSources(of target: String) throws -> Bool { isFull }
    func sourceCount(of target: String, kind: BindingKind, upTo limit: Int) throws -> Int {
        isFull ? limit : 0
    }
}
