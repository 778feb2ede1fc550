import Foundation
import RecordStore
import Records
import Testing

@Suite("Contract: shares")
struct ShareTests {
    @Test(
        "A share is saved with its root, which then names it; both come back with their terms",
        arguments: StoreKind.allCases)
    func saved(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            _ = try await world.store.createZone(named: "Z")
            let results = try await world.commit(
                [share("s", of: "note", with: [invited("_bob")]), create("note")], zone: "Z", atomic: true)
            #expect(results.map(\.brief) == ["s", "note"])
            #expect(results[1].record?.sharing == .root(of: "s"))
            #expect(results[1].record?.shortGUID == "guid-s")
            let terms = try #require(results[0].record?.sharing?.terms)
            #expect(terms.root == "note")
            #expect(terms.shortGUID == "guid-s")
            #expect(terms.publicPermission == .none)
            #expect(terms.participants.map(\.role) == [.owner, .privateUser])
            #expect(terms.participants.map(\.acceptance) == [.accepted, .invited])
            let found = try await world.store.records(named: ["s", "note"], in: "Z")
            #expect(found == results.map(\.record))
            #expect(try await world.covering("note", "s") == ["s", "s"])
            let known = try await world.store.record(ofShortGUID: "guid-s")
            #expect(known == RecordID(name: "note", zone: "Z"))
        }
    }

    @Test(
        "A share without its root in the batch needs the root's change tag",
        arguments: StoreKind.allCases)
    func alone(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            _ = try await world.store.createZone(named: "Z")
            let note = try await world.create("note", zone: "Z")
            let stale = ChangeTag(text: "0")
            let before = try await world.state()
            #expect(try await world.outcome([share("s", of: "note")], zone: "Z") == ["s: badRequest"])
            #expect(
                try await world.outcome([share("s", of: "note", tag: stale)], zone: "Z") == ["s: conflict"])
            #expect(
                try await world.outcome([share("s", of: "gone", tag: stale)], zone: "Z") == ["s: notFound"])
            #expect(try await world.state() == before)
            #expect(
                try await world.outcome([share("s", of: "note", tag: note.changeTag)], zone: "Z") == ["s"])
            #expect(try await world.fetch("note", zone: "Z")?.sharing == .root(of: "s"))
            #expect(try await world.fetch("note", zone: "Z")?.changeTag != note.changeTag)
        }
    }

    @Test(
        "Public databases, default zones and zones that are shared as a whole cannot have shares of records",
        arguments: StoreKind.allCases)
    func places(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            _ = try await world.store.createZone(named: "Z")
            let both = [create("note"), share("s", of: "note")]
            #expect(try await world.outcome(both) == ["note", "s: badRequest"])
            let strangers = try await world.commit(both, zone: "Z", amongStrangers: true)
            #expect(strangers.map(\.brief) == ["note", "s: badDatabase"])
            #expect(try await world.outcome([share(of: nil)], zone: "Z") == ["cloudkit.zoneshare"])
            #expect(
                try await world.outcome([create("other"), share("s", of: "other")], zone: "Z")
                    == ["other", "s: alreadyShared"])
            #expect(
                try await world.outcome([create("p", type: Share.recordType)], zone: "Z") == [
                    "p: badRequest"
                ]
            )
        }
    }

    @Test(
        """
        A record is covered by one share: a root below or above another one, and a second share of a root, \
        are refused
        """,
        arguments: StoreKind.allCases)
    func oneShare(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            try await world.commit(
                [create("top"), create("middle", parent: "top"), create("low", parent: "middle")], zone: "Z"
            )
            #expect(
                try await world.outcome(
                    [move("middle", under: "top"), share("m", of: "middle")], zone: "Z")
                    == ["middle", "m"])
            for root in ["note", "line", "top", "low"] {
                let again = RecordOperation(.forceUpdate, recordName: root, recordType: "Party")
                #expect(
                    try await world.outcome([again, share("again", of: root)], zone: "Z")
                        == [root, "again: alreadyShared"])
            }
            #expect(
                try await world.outcome([share(of: nil)], zone: "Z") == ["cloudkit.zoneshare: badRequest"])
            #expect(
                try await world.covering("note", "line", "top", "middle", "low") == [
                    "s", "s", "-", "m", "m",
                ])
        }
    }

    @Test(
        "A parent that would put a root under another share is refused", arguments: StoreKind.allCases)
    func underAnother(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            try await world.commit([create("top"), create("root", parent: "top")], zone: "Z")
            #expect(
                try await world.outcome([move("root", under: "top"), share("t", of: "root")], zone: "Z")
                    == ["root", "t"])
            let error = try await world.commit([move("top", under: "line")], zone: "Z")[0].error
            #expect(error?.code == .alreadyShared)
            #expect(error?.culprit == "root")
            #expect(
                try await world.outcome([move("root", under: "line")], zone: "Z") == ["root: alreadyShared"]
            )
            #expect(
                try await world.outcome([move("line", under: "s")], zone: "Z") == ["line: badRequest"])
            #expect(try await world.covering("top", "root", "line") == ["-", "t", "s"])
        }
    }

    @Test(
        "A subtree that moves under a share, or out of it, is covered as a whole from then on",
        arguments: StoreKind.allCases)
    func moves(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            try await world.commit(
                [create("x"), create("y", parent: "x"), create("z", parent: "y")], zone: "Z")
            #expect(try await world.covering("x", "y", "z") == ["-", "-", "-"])
            try await world.commit([move("x", under: "line")], zone: "Z")
            #expect(try await world.covering("x", "y", "z") == ["s", "s", "s"])
            try await world.commit([move("y", under: "outside")], zone: "Z")
            #expect(try await world.covering("x", "y", "z") == ["s", "-", "-"])
            try await world.commit([create("w", parent: "x")], zone: "Z")
            #expect(try await world.covering("w") == ["s"])
            try await world.commit([move("x", under: nil)], zone: "Z")
            #expect(try await world.covering("x", "w", "line") == ["-", "-", "s"])
        }
    }

    /// The number of records in each large tree, small so that the suite is quick.
    private static let treeRecords =
        Int(ProcessInfo.processInfo.environment["CLOUDLET_TREE_RECORDS"] ?? "") ?? 1000

    @Test(
        "A record with others below it moves to a parent near enough to the root of its share",
        arguments: StoreKind.allCases)
    func deepParent(kind: StoreKind) async throws {
        #expect(Limits().parentLevels == 1000)
        try await withWorld(kind) { world in
            try await world.shareNote()
            try await world.commit([create("top", parent: "note"), create("low", parent: "top")], zone: "Z")
            try await world.commit([create("leaf", parent: "note")], zone: "Z")
            let chain = ["line", "d2", "d3", "d4"]
            try await world.commit(zip(chain.dropFirst(), chain).map { create($0, parent: $1) }, zone: "Z")
            var limits = Limits()
            limits.parentLevels = 5
            func outcome(_ name: String, _ parent: String) async throws -> [String] {
                try await world.outcome([move(name, under: parent)], zone: "Z", limits: limits)
            }
            // From d3 to the root there are four records, from d4 five.
            #expect(try await outcome("top", "d3") == ["top"])
            #expect(try await outcome("top", "note") == ["top"])
            #expect(try await outcome("top", "d4") == ["top: limitExceeded"])
            #expect(try await outcome("leaf", "d4") == ["leaf"])
            #expect(try await world.covering("top", "low", "leaf") == ["s", "s", "s"])
        }
    }

    @Test(
        "A deep chain, a wide tree and a cycle of parents move under a share and out of it",
        arguments: StoreKind.allCases)
    func shapes(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            let count = Self.treeRecords
            let deep = (0..<count).map { create("deep\($0)", parent: $0 == 0 ? nil : "deep\($0 - 1)") }
            let wide = [create("wide")] + (0..<count).map { create("leaf\($0)", parent: "wide") }
            for tree in [deep, wide] {
                for start in stride(from: 0, to: tree.count, by: 1001) {
                    try await world.commit(Array(tree[start..<min(start + 1001, tree.count)]), zone: "Z")
                }
            }
            for top in ["deep0", "wide"] { try await world.commit([move(top, under: "line")], zone: "Z") }
            #expect(try await world.covering("deep\(count - 1)", "leaf\(count - 1)") == ["s", "s"])
            let pageSize = max(300, count / 5)
            #expect(try await world.shared(with: "_bob", page: pageSize).changes.count == 2 * count + 4)
            for top in ["deep0", "wide"] { try await world.commit([move(top, under: nil)], zone: "Z") }
            #expect(try await world.covering("deep\(count - 1)", "leaf\(count - 1)") == ["-", "-"])
            try await world.commit([create("a", parent: "line"), create("b", parent: "a")], zone: "Z")
            #expect(try await world.outcome([move("a", under: "b")], zone: "Z") == ["a"])
            #expect(try await world.covering("a", "b") == ["-", "-"])
            #expect(try await world.outcome([move("note", under: "line")], zone: "Z") == ["note"])
            #expect(try await world.covering("note", "line") == ["s", "s"])
            try await world.commit([move("a", under: "line")], zone: "Z")
            #expect(try await world.covering("a", "b") == ["s", "s"])
        }
    }

    @Test(
        "A record that becomes its own parent, with or without records below it, leaves its share",
        arguments: StoreKind.allCases)
    func ownParent(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            try await world.commit(
                [create("low", parent: "line"), create("leaf", parent: "note")], zone: "Z")
            #expect(try await world.outcome([move("leaf", under: "leaf")], zone: "Z") == ["leaf"])
            #expect(try await world.covering("leaf", "line", "low") == ["-", "s", "s"])
            #expect(try await world.outcome([move("line", under: "line")], zone: "Z") == ["line"])
            #expect(try await world.covering("leaf", "line", "low") == ["-", "-", "-"])
            #expect(try await world.outcome([move("note", under: "note")], zone: "Z") == ["note"])
            #expect(try await world.covering("note", "s") == ["s", "s"])
        }
    }

    @Test(
        "A root keeps its short GUID when its share ends and another begins",
        arguments: StoreKind.allCases)
    func shortGUID(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            try await world.commit([delete("s")], zone: "Z")
            let note = RecordOperation(.forceUpdate, recordName: "note", recordType: "Party")
            let again = try await world.commit([note, share("t", of: "note", guid: "other")], zone: "Z")
            #expect(again[1].record?.sharing?.terms?.shortGUID == "guid-s")
            #expect(try await world.store.record(ofShortGUID: "other") == nil)
            try await world.commit([delete("line"), delete("note")], zone: "Z")
            #expect(try await world.store.record(ofShortGUID: "guid-s") == nil)
        }
    }

    @Test(
        "Deleting a share leaves its records, and its root no longer names it",
        arguments: StoreKind.allCases)
    func stopped(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            let note = try #require(try await world.store.records(named: ["note"], in: "Z")[0])
            let results = try await world.commit([delete("s"), update(note)], zone: "Z", atomic: true)
            #expect(results.map(\.brief) == ["-s", "note"])
            #expect(results[1].record?.sharing == nil)
            #expect(results[1].record?.shortGUID == "guid-s")
            #expect(try await world.store.records(named: ["note"], in: "Z") == [results[1].record])
            #expect(try await world.covering("note", "line") == ["-", "-"])
            #expect(try await world.store.memberships(of: "_bob").map { $0.left != nil } == [true])
            #expect(try await world.names(in: "Z").sorted() == ["line", "note", "outside"])
        }
    }

    @Test("Deleting a root deletes its share", arguments: StoreKind.allCases)
    func rootDeleted(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            #expect(try await world.outcome([delete("note")], zone: "Z") == ["note: validatingReference"])
            #expect(
                try await world.outcome([delete("s"), delete("note"), delete("line")], zone: "Z")
                    == ["-s", "-note", "-line"])
            #expect(try await world.names(in: "Z") == ["outside"])
            try await world.commit([create("note"), share("s", of: "note")], zone: "Z")
            #expect(try await world.outcome([delete("note")], zone: "Z") == ["-note"])
            #expect(try await world.names(in: "Z") == ["outside"])
        }
    }

    @Test(
        "People become and stop being members of a share in the transaction that saves its terms",
        arguments: StoreKind.allCases)
    func people(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            let both = [invited("_bob"), invited("_carol")]
            try await world.commit([invite(both, to: "s")], zone: "Z")
            #expect(try await world.store.memberships(of: "_carol") == [])
            let accepted = try await world.commit([accept("s", by: "_carol")], zone: "Z")[0].record
            let joined = try #require(try await world.store.memberships(of: "_carol").first)
            #expect(joined.joined == accepted?.sequence)
            #expect(joined.name == "s")
            #expect(joined.left == nil)
            #expect(try await world.commit([accept("s", by: "_carol")], zone: "Z")[0].record == accepted)
            #expect(try await world.outcome([accept("s", by: "_dave")], zone: "Z") == ["s: accessDenied"])
            let removed = try await world.commit([invite([invited("_carol")], to: "s")], zone: "Z")[0]
                .record
            #expect(try await world.store.memberships(of: "_bob").map(\.left) == [removed?.sequence])
            #expect(try await world.store.memberships(of: "_carol").map(\.left) == [nil])
        }
    }

    @Test(
        "A participant writes what the terms permit, below the root only, and never deletes the root",
        arguments: StoreKind.allCases)
    func participants(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            try await world.commit(
                [invite([invited("_bob"), invited("_carol", .readOnly)], to: "s")], zone: "Z")
            try await world.commit([accept("s", by: "_carol")], zone: "Z")
            let change = RecordOperation(.forceUpdate, recordName: "line", recordType: "Party")
            let cases: [(RecordOperation, bob: String, carol: String)] = [
                (create("new", parent: "note"), "new", "new: accessDenied"),
                (change, "line", "line: accessDenied"),
                (create("alone"), "alone: accessDenied", "alone: accessDenied"),
                (create("far", parent: "outside"), "far: accessDenied", "far: accessDenied"),
                (move("line", under: "outside"), "line: accessDenied", "line: accessDenied"),
                (move("line", under: nil), "line: accessDenied", "line: accessDenied"),
                (forceDelete("note"), "note: accessDenied", "note: accessDenied"),
                (move("outside", under: "note"), "outside: accessDenied", "outside: accessDenied"),
                (forceDelete("outside"), "outside: notFound", "outside: notFound"),
                (invite([], to: "s"), "s: accessDenied", "s: accessDenied"),
                (share("t", of: "line"), "t: accessDenied", "t: accessDenied"),
            ]
            for (operation, bob, carol) in cases {
                let denied = try await world.commit([operation], zone: "Z", as: "_carol")
                #expect(denied.map(\.brief) == [carol])
                let answered = try await world.commit([operation], zone: "Z", as: "_bob")
                #expect(answered.map(\.brief) == [bob])
                let stranger = try await world.commit([operation], zone: "Z", as: "_dave")
                #expect(stranger.first?.error != nil)
            }
            #expect(try await world.covering("new") == ["s"])
            #expect(try await world.fetch("new", zone: "Z")?.created?.by == "_bob")
        }
    }

    @Test("A participant who deletes the share leaves it", arguments: StoreKind.allCases)
    func left(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            let usage = try await world.store.usage(of: "_alice")
            let results = try await world.commit([delete("s")], zone: "Z", as: "_bob")
            #expect(results.map(\.brief) == ["-s"])
            let terms = try await world.fetch("s", zone: "Z")?.sharing?.terms
            #expect(terms?.participants.map(\.person) == ["_alice"])
            let less = StoreUsage(recordBytes: Int64(StoredRecord.bytesPerPerson))
            #expect(try await world.store.usage(of: "_alice") == usage - less)
            #expect(try await world.store.memberships(of: "_bob").map { $0.left != nil } == [true])
            #expect(try await world.covering("note") == ["s"])
            let again = try await world.commit([delete("s")], zone: "Z", as: "_bob")
            #expect(again.map(\.brief) == ["s: notFound"])
        }
    }

    @Test(
        "A file is shared with a person while a share of the person covers a record with it",
        arguments: StoreKind.allCases)
    func files(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            func shared(_ file: String, with person: String = "_bob") async throws -> Bool {
                try await world.store.isAsset(file, sharedWith: person, in: "Z")
            }
            for (name, checksum) in [("line", "A"), ("outside", "B")] {
                let save = RecordOperation(
                    .forceUpdate, recordName: name, recordType: "Party", fields: ["file": file(checksum)])
                try await world.commit([save], zone: "Z")
            }
            #expect(try await shared("A"))
            #expect(try await !shared("B"))
            #expect(try await !shared("A", with: "_carol"))
            #expect(try await !world.store.isAsset("A", sharedWith: "_bob", in: "Y"))
            try await world.commit([move("line", under: nil)], zone: "Z")
            #expect(try await !shared("A"))
            try await world.commit([move("line", under: "note")], zone: "Z")
            #expect(try await shared("A"))
            try await world.commit([delete("s")], zone: "Z", as: "_bob")
            #expect(try await !shared("A"))
            try await world.commit([delete("s")], zone: "Z")
            try await world.commit([share(of: nil, with: [invited("_carol")])], zone: "Z")
            try await world.commit([accept(Share.zoneWideName, by: "_carol")], zone: "Z")
            #expect(try await shared("B", with: "_carol"))
        }
    }

    @Test(
        "A batch that is only tried returns its results and changes nothing", arguments: StoreKind.allCases)
    func trial(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            let token = try await world.shared(with: "_bob").token
            var batch = WriteBatch(
                zone: "Z",
                operations: [create("new", parent: "line"), create("stray", parent: "outside")],
                stamp: Stamp(at: Timestamp(milliseconds: 50_000), by: "_bob"), schema: world.schema)
            (batch.isTrial, batch.participant, batch.owner) = (true, "_bob", "_alice")
            let results = try await world.store.apply(batch).results
            #expect(results.map(\.brief).first == "new")
            #expect(results.map(\.brief) != ["new", "stray"])
            #expect(try await world.store.records(named: ["new", "stray"], in: "Z") == [nil, nil])
            #expect(try await world.shared(with: "_bob", since: token).changes == [])
        }
    }
}
