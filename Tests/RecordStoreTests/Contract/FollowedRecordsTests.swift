import RecordStore
import Records
import Synchronization
import Testing

@testable import TestKit

@Suite("Contract: charging the records that a batch follows")
struct FollowedRecordsTests {
    /// A payer with a balance of records.
    private final class Purse: Sendable {
        let balance: Mutex<Int>

        init(_ balance: Int) { self.balance = Mutex(balance) }

        var rest: Int { balance.withLock { $0 } }

        /// The account of a new batch.
        var account: FollowedRecords {
            FollowedRecords { [self] in
                rest <= 0 ? RecordError(.tryAgainLater, "no balance", retryAfter: 1) : nil
            } charge: { [self] records in
                balance.withLock { $0 -= records }
            }
        }
    }

    private func expectRefusal(
        of operations: [RecordOperation], zone: String = ZoneID.defaultName, by purse: Purse, in world: World
    ) async throws {
        let (before, rest) = (try await world.state(), purse.rest)
        let refusal = await #expect(throws: RecordError.self) {
            try await world.commit(operations, zone: zone, paying: purse.account)
        }
        #expect(refusal?.code == .tryAgainLater)
        #expect(refusal?.retryAfter == 1)
        #expect(try await world.state() == before)
        #expect(purse.rest == rest)
    }

    @Test(
        """
        A batch pays for the records of its cascades, also of refused ones; without a balance it is refused \
        and changes nothing
        """,
        arguments: StoreKind.allCases)
    func cascades(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.commit([create("root")])
            try await world.commit((0..<9).map { create("leaf\($0)", ["to": link("root", .deleteSelf)]) })
            try await world.commit([create("judge", ["to": link("leaf8", .validate)])])
            let purse = Purse(10)
            let refused = try await world.commit([delete("root")], paying: purse.account)
            #expect(refused.map(\.brief) == ["root: validatingReference"])
            // The nine leaves, and the judge of the last one.
            #expect(purse.rest == 0)
            try await expectRefusal(of: [create("more"), delete("root")], by: purse, in: world)
            purse.balance.withLock { $0 = 1 }
            let deleted = try await world.commit([delete("judge"), delete("root")], paying: purse.account)
            #expect(deleted.map(\.brief) == ["-judge", "-root"])
            // Nine leaves were read, and ten records deleted.
            #expect(purse.rest == 1 - 19)
        }
    }

    @Test("A request whose batch is applied several times pays once", arguments: StoreKind.allCases)
    func again(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.commit([create("root")])
            try await world.commit((0..<9).map { create("leaf\($0)", ["to": link("root", .deleteSelf)]) })
            try await world.commit([create("judge", ["to": link("leaf8", .validate)])])
            let purse = Purse(100)
            let account = purse.account
            for _ in 0..<3 {
                let refused = try await world.commit([delete("root")], paying: account)
                #expect(refused.map(\.brief) == ["root: validatingReference"])
                #expect(purse.rest == 90)
            }
            // The last run follows more records: nine leaves are read, and ten records deleted.
            try await world.commit([delete("judge"), delete("root")], paying: account)
            #expect(purse.rest == 100 - 19)
            try await world.commit([create("root")], paying: purse.account)
            #expect(purse.rest == 100 - 19)
        }
    }

    @Test(
        "A batch without a balance deletes records to which no reference points",
        arguments: StoreKind.allCases)
    func single(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.commit([create("a"), create("b", ["to": link("a", .deleteSelf)])])
            let purse = Purse(0)
            let results = try await world.commit([delete("b"), create("c")], paying: purse.account)
            #expect(results.map(\.brief) == ["-b", "c"])
            #expect(try await world.commit([delete("a")], paying: purse.account).map(\.brief) == ["-a"])
            #expect(purse.rest == 0)
        }
    }

    @Test(
        "A batch pays for the records that go to another share, and is refused without a balance",
        arguments: StoreKind.allCases)
    func moves(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            try await world.commit(
                [create("x"), create("x1", parent: "x"), create("x2", parent: "x")], zone: "Z")
            let purse = Purse(5)
            try await world.commit([move("x", under: "note")], zone: "Z", paying: purse.account)
            #expect(purse.rest == 2)
            try await world.commit([move("x", under: nil)], zone: "Z", paying: purse.account)
            #expect(purse.rest == -1)
            try await expectRefusal(of: [move("x", under: "note")], zone: "Z", by: purse, in: world)
            try await expectRefusal(of: [delete("s")], zone: "Z", by: purse, in: world)
            #expect(try await world.covering("x", "note") == ["-", "s"])
            let saved = try await world.commit(
                [create("y", parent: "note"), create("z")], zone: "Z", paying: purse.account)
            #expect(saved.map(\.brief) == ["y", "z"])
        }
    }

    @Test(
        "A move of more records than a payer may follow at once is paid in full",
        arguments: StoreKind.allCases)
    func largeMove(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            try await world.commit(
                [create("x")] + (0..<30).map { create("x\($0)", parent: "x") }, zone: "Z")
            var limits = Limits()
            (limits.movedRecords, limits.followedRecords) = (5, 10)
            let purse = Purse(1)
            try await world.commit(
                [move("x", under: "note")], zone: "Z", limits: limits, paying: purse.account)
            #expect(purse.rest == 1 - 31)
            purse.balance.withLock { $0 = 1 }
            try await world.commit([delete("s")], zone: "Z", limits: limits, paying: purse.account)
            // The share, the note, the record below it, and those that were moved.
            #expect(purse.rest == 1 - 34)
        }
    }
}
