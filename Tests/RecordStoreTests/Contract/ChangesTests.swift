import RecordStore
import Records
import Testing

@Suite("Contract: changes")
struct ChangesTests {
    @Test(
        "A feed lists each changed record once, in its latest state, oldest change first, deletions included",
        arguments: StoreKind.allCases)
    func feed(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            _ = try await world.store.createZone(named: "Z")
            let a = try await world.create("a", ["n": number(1)], zone: "Z")
            try await world.create("b", zone: "Z")
            try await world.create("elsewhere")
            try await world.commit([create("c", type: "Clown"), create("d")], zone: "Z")
            try await world.save(update(a, ["n": number(2)]), zone: "Z")
            try await world.commit([delete("c")], zone: "Z")
            #expect(
                try await world.changes(in: "Z").map { try $0.line() } == [
                    "3 b Party [] created 2000 _alice modified 2000 _alice parent -",
                    "6 d Party [] created 4000 _alice modified 4000 _alice parent -",
                    "7 a Party [n=int64(2)] created 1000 _alice modified 5000 _alice parent -",
                    "8 -c Clown",
                ]
            )
            #expect(try await world.changes(in: "Z", isReversed: true).map(\.brief) == ["-c", "a", "d", "b"])
        }
    }

    @Test("A token leads to exactly the changes since it was given out", arguments: StoreKind.allCases)
    func since(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let a = try await world.create("a")
            try await world.create("b")
            let page = try await world.store.changes(ChangesRequest(zone: "_defaultZone", limit: 10))
            #expect(page.changes.map(\.brief) == ["a", "b"])
            #expect(!page.moreComing)
            #expect(try await world.changes(since: page.token) == [])
            try await world.commit([update(a), delete("b"), create("c")])
            #expect(try await world.changes(since: page.token).map(\.brief) == ["a", "-b", "c"])
            #expect(try await world.changes(since: page.token).map(\.brief) == ["a", "-b", "c"])
        }
    }

    @Test(
        "The pages of a feed miss no change, whatever is written in between",
        arguments: StoreKind.allCases)
    func paging(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            for name in ["a", "b", "c", "d"] { try await world.create(name) }
            var request = ChangesRequest(zone: "_defaultZone", limit: 2)
            var page = try await world.store.changes(request)
            #expect(page.changes.map(\.brief) == ["a", "b"])
            #expect(page.moreComing)
            try await world.commit([delete("a"), delete("c"), create("e")])
            request.since = page.token
            page = try await world.store.changes(request)
            #expect(page.changes.map(\.brief) == ["d", "-a"])
            #expect(page.moreComing)
            request.since = page.token
            page = try await world.store.changes(request)
            #expect(page.changes.map(\.brief) == ["-c", "e"])
            #expect(!page.moreComing)
        }
    }

    @Test(
        "A page of changes ends with the change that brings its bytes to the limit",
        arguments: StoreKind.allCases)
    func pagesOfBytes(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            for name in ["a", "b", "c", "d"] { try await world.create(name) }
            try await world.commit([delete("b")])
            var request = ChangesRequest(zone: "_defaultZone", limit: 9, bytes: 1)
            var pages: [[String]] = []
            for _ in 0..<9 {
                let page = try await world.store.changes(request)
                pages.append(page.changes.map(\.brief))
                request.since = page.token
                if !page.moreComing { break }
            }
            #expect(pages == [["a"], ["c"], ["d"], ["-b"]])
        }
    }

    @Test("The people of a share count as bytes of a page", arguments: StoreKind.allCases)
    func pagesOfPeople(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            try await world.commit([create("x")], zone: "Z")
            var request = ChangesRequest(zone: "Z", limit: 9, bytes: StoredRecord.bytesPerPerson)
            let own = try await world.store.changes(request)
            #expect(own.changes.last?.brief == "s")
            #expect(own.moreComing)
            request.bytes = 9 * StoredRecord.bytesPerPerson
            let all = try await world.store.changes(request)
            #expect(all.changes.last?.brief == "x")
            #expect(!all.moreComing)
        }
    }

    @Test(
        "A page with the limit 0 says whether there are changes, and its token stays in place",
        arguments: StoreKind.allCases)
    func emptyPages(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            var request = ChangesRequest(zone: "_defaultZone", limit: 0)
            #expect(try await world.store.changes(request).moreComing == false)
            try await world.create("a")
            try await world.create("b")
            for _ in 0..<2 {
                let page = try await world.store.changes(request)
                #expect(page.changes == [] && page.moreComing)
                request.since = page.token
            }
            request.limit = 9
            let page = try await world.store.changes(request)
            #expect(page.changes.map(\.brief) == ["a", "b"] && !page.moreComing)
            request.since = page.token
            request.limit = 0
            #expect(try await world.store.changes(request).moreComing == false)
        }
    }

    @Test("A reversed feed runs to the first change and is then at its end", arguments: StoreKind.allCases)
    func reversed(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            for name in ["a", "b", "c"] { try await world.create(name) }
            var request = ChangesRequest(zone: "_defaultZone", limit: 2, isReversed: true)
            var page = try await world.store.changes(request)
            #expect(page.changes.map(\.brief) == ["c", "b"])
            request.since = page.token
            try await world.create("d")
            page = try await world.store.changes(request)
            #expect(page.changes.map(\.brief) == ["a"])
            request.since = page.token
            page = try await world.store.changes(request)
            #expect(page.changes == [] && !page.moreComing)
        }
    }

    @Test(
        "A token of another direction or feed, a truncated token and garbage are refused",
        arguments: StoreKind.allCases)
    func foreignTokens(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            _ = try await world.store.createZone(named: "Z")
            let good = try await world.store.changes(ChangesRequest(zone: "Z", limit: 5)).token
            let position = try FeedPosition(good)
            var reversed = position
            reversed.feed = .recordsReversed
            var (before, first) = (position, position)
            before.sequence = -1
            (first.sequence, first.baseline) = (.min, .min + 1)
            let zones = try await world.store.zoneChanges(since: nil, limit: 5).token
            var flipped = good
            flipped.bytes[20] ^= 1
            let cases: [(ChangeToken, String)] = [
                (reversed.token, "Unknown sync continuation type"),
                (before.token, "Invalid continuation format"),
                (first.token, "Invalid continuation format"),
                (zones, "Unknown sync continuation type"),
                (ChangeToken(bytes: []), "Unknown sync continuation type"),
                (ChangeToken(bytes: Array("garbage".utf8)), "Unknown sync continuation type"),
                (ChangeToken(bytes: good.bytes.dropLast()), "Invalid continuation format"),
                (ChangeToken(bytes: [good.bytes[0]]), "Invalid continuation format"),
                (ChangeToken(bytes: good.bytes + [0]), "Invalid continuation format"),
                (flipped, "Invalid continuation format"),
            ]
            for (token, reason) in cases {
                let error = await #expect(throws: RecordError.self) {
                    try await world.changes(in: "Z", since: token)
                }
                #expect(error?.code == .badRequest)
                #expect(error?.reason == reason)
            }
            #expect(try await world.changes(in: "Z", since: good) == [])
        }
    }

    @Test("A token of another database or zone is expired", arguments: StoreKind.allCases)
    func otherZone(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            for name in ["Y", "Z"] { _ = try await world.store.createZone(named: name) }
            let token = try await world.store.changes(ChangesRequest(zone: "Y", limit: 5)).token
            for isReversed in [false, true] {
                let own = ChangesRequest(zone: "Z", limit: 5, isReversed: isReversed)
                var foreign = try FeedPosition(try await world.store.changes(own).token)
                foreign.database += 1
                foreign.sequence = min(foreign.sequence, 2)
                for token in isReversed ? [foreign.token] : [token, foreign.token] {
                    let error = await #expect(throws: RecordError.self) {
                        try await world.changes(in: "Z", since: token, isReversed: isReversed)
                    }
                    #expect(error?.code == .changeTokenExpired)
                    #expect(error?.culprit == "Z")
                }
            }
            var whole = try FeedPosition(try await world.store.zoneChanges(since: nil, limit: 5).token)
            whole.database += 1
            let error = await #expect(throws: RecordError.self) {
                try await world.store.zoneChanges(since: whole.token, limit: 5)
            }
            #expect(error?.code == .changeTokenExpired)
        }
    }

    @Test("The number of remaining changes is computed for any two numbers without an overflow")
    func remaining() {
        for (sequence, end, told) in [
            (Int64(3), Int64(10), Int?(7)), (.min, 10, nil), (-1, .max, nil), (.max, 0, nil), (0, .max, nil),
        ] {
            let start = FeedPosition(database: 1, zone: 1, sequence: sequence)
            let none = PackedChanges(zone: ZoneID(name: "Z"))
            #expect(ChangesPage(none, moreComing: true, start: start, end: end).remaining == told)
        }
    }

    @Test(
        "The feed of zones lists each custom zone once, changed or gone, oldest change first",
        arguments: StoreKind.allCases)
    func zones(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            for name in ["A", "B", "C", "D"] { _ = try await world.store.createZone(named: name) }
            let start = try await world.store.zoneChanges(since: nil, limit: 10).token
            try await world.create("x", zone: "B")
            try await world.store.deleteZone(named: "A", reason: .purged, at: Timestamp(milliseconds: 0))
            try await world.store.deleteZone(named: "C", reason: .deleted, at: Timestamp(milliseconds: 0))
            try await world.create("y", zone: "B")
            _ = try await world.store.createZone(named: "C")
            try await world.create("elsewhere")
            let page = try await world.store.zoneChanges(since: start, limit: 10)
            #expect(page.changes.map(Self.brief) == ["-A purged", "B", "C"])
            let all = try await world.store.zoneChanges(since: nil, limit: 2)
            #expect(all.changes.map(Self.brief) == ["D", "-A purged"])
            #expect(all.moreComing)
            let rest = try await world.store.zoneChanges(since: all.token, limit: 2)
            #expect(rest.changes.map(Self.brief) == ["B", "C"])
            #expect(!rest.moreComing)
            #expect(try await world.store.zoneChanges(since: page.token, limit: 2).changes == [])
        }
    }

    private static func brief(_ change: ZoneChange) -> String {
        switch change {
        case .changed(let zone, _): zone.id.name
        case .deleted(let id, let reason, _): "-\(id.name) \(reason)"
        }
    }

    @Test(
        "A feed lists a deletion until it is forgotten; a token from before a forgotten deletion is expired",
        arguments: StoreKind.allCases)
    func forgetting(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            for name in ["a", "b", "c"] { try await world.create(name) }
            let old = try await world.store.changes(ChangesRequest(zone: "_defaultZone", limit: 10)).token
            try await world.commit([delete("a")])
            let between = try await world.store.changes(ChangesRequest(zone: "_defaultZone", limit: 10)).token
            try await world.commit([delete("b")], at: 9000)
            try await world.store.forgetDeletions(before: Timestamp(milliseconds: 9000))
            #expect(try await world.changes().map(\.brief) == ["c", "-b"])
            #expect(try await world.changes(since: between).map(\.brief) == ["-b"])
            let error = await #expect(throws: RecordError.self) { try await world.changes(since: old) }
            #expect(error?.code == .changeTokenExpired)
            try await world.create("a")
            #expect(try await world.changes(since: between).map(\.brief) == ["-b", "a"])
        }
    }

    @Test(
        """
        A database keeps a limited number of deletions, or as many as it has records if that is more; the \
        oldest are forgotten
        """,
        arguments: StoreKind.allCases)
    func surplus(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            var limits = Limits()
            #expect(limits.deletionsPerDatabase == 10_000)
            limits.deletionsPerDatabase = 4
            let names = (0..<9).map { "r\($0)" }
            _ = try await world.store.createZone(named: "Z")
            try await world.commit(names.map { create($0) })
            try await world.create("z", zone: "Z")
            let old = try await world.store.changes(ChangesRequest(zone: "_defaultZone", limit: 20)).token
            func delete(_ names: ArraySlice<String>) async throws {
                for name in names { try await world.commit([RecordStoreTests.delete(name)], limits: limits) }
            }
            // Six deletions, four records: four deletions are allowed, and the store checks after every three
            // more.
            try await delete(names[0..<6])
            #expect(try await world.changes().map(\.brief) == ["r6", "r7", "r8", "-r2", "-r3", "-r4", "-r5"])
            let error = await #expect(throws: RecordError.self) { try await world.changes(since: old) }
            #expect(error?.code == .changeTokenExpired)
            // Five records and one in the other zone: six deletions may stay.
            try await world.commit(["a", "b", "c"].map { create($0) })
            try await delete(names[6..<7])
            #expect(try await world.changes().filter { $0.brief.hasPrefix("-") }.count == 5)
            try await world.store.deleteZone(named: "Z")
            #expect(try await world.changes().filter { $0.brief.hasPrefix("-") }.count == 5)
        }
    }

    @Test(
        "A database keeps as many deletions of zones as it may have zones: the oldest are forgotten",
        arguments: StoreKind.allCases)
    func surplusZones(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let old = try await world.store.zoneChanges(since: nil, limit: 10).token
            let stamp = Stamp(at: Timestamp(milliseconds: 0), by: "_alice")
            for name in ["A", "B", "C", "D"] {
                _ = try await world.store.createZone(named: name, by: stamp, atMost: 2)
                try await world.store.deleteZone(named: name)
            }
            _ = try await world.store.createZone(named: "E", by: stamp, atMost: 2)
            let gone = try await world.store.zoneChanges(since: nil, limit: 10).changes.map(Self.brief)
            #expect(gone.last == "E")
            let error = await #expect(throws: RecordError.self) {
                try await world.store.zoneChanges(since: old, limit: 10)
            }
            #expect(error?.code == .changeTokenExpired)
        }
    }

    @Test(
        """
        A first pass through a feed continues when deletions from before its start are forgotten, and \
        expires when later ones are
        """,
        arguments: StoreKind.allCases)
    func firstPass(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            for name in ["a", "b", "c", "d"] { try await world.create(name) }
            try await world.commit([delete("d")])
            try await world.store.forgetDeletions(before: Timestamp(milliseconds: 99_000))
            #expect(try await world.changes().map(\.brief) == ["a", "b", "c"])
            let first = try await world.store.changes(ChangesRequest(zone: "_defaultZone", limit: 1))
            #expect(try await world.changes(since: first.token).map(\.brief) == ["b", "c"])
            try await world.commit([delete("a")])
            #expect(try await world.changes(since: first.token).map(\.brief) == ["b", "c", "-a"])
            try await world.store.forgetDeletions(before: Timestamp(milliseconds: 99_000))
            let error = await #expect(throws: RecordError.self) {
                try await world.changes(since: first.token)
            }
            #expect(error?.code == .changeTokenExpired)
        }
    }

    @Test("The deletion of a zone is forgotten like that of a record", arguments: StoreKind.allCases)
    func forgottenZones(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            for name in ["A", "B", "C"] { _ = try await world.store.createZone(named: name) }
            let old = try await world.store.zoneChanges(since: nil, limit: 10).token
            try await world.store.deleteZone(named: "A", reason: .deleted, at: Timestamp(milliseconds: 5000))
            try await world.store.forgetDeletions(before: Timestamp(milliseconds: 5001))
            let first = try await world.store.zoneChanges(since: nil, limit: 1)
            #expect(first.changes.map(Self.brief) == ["B"])
            #expect(
                try await world.store.zoneChanges(since: first.token, limit: 9).changes.map(Self.brief) == [
                    "C"
                ])
            let error = await #expect(throws: RecordError.self) {
                try await world.store.zoneChanges(since: old, limit: 10)
            }
            #expect(error?.code == .changeTokenExpired)
        }
    }
}
