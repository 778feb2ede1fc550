import RecordStore
import Records
import Testing

@Suite("Contract: feeds of shares")
struct SharedFeedTests {
    /// Adds a second share `t` of the root `two` with Bob, not accepted yet.
    private func shareTwo(_ world: World) async throws {
        try await world.commit(
            [create("two"), share("t", of: "two", with: [invited("_bob")])], zone: "Z")
    }

    @Test(
        "The feed of a person shows the records of the person's shares and nothing else, each once",
        arguments: StoreKind.allCases)
    func onlyShared(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            try await world.commit(
                [create("private"), share("p", of: "private", with: [invited("_carol")])], zone: "Z")
            try await world.commit([accept("p", by: "_carol")], zone: "Z")
            #expect(try await world.shared(with: "_bob").changes == ["note", "line", "s"])
            #expect(try await world.shared(with: "_carol").changes == ["private", "p"])
            let token = try await world.shared(with: "_bob").token
            let change = RecordOperation(.forceUpdate, recordName: "line", recordType: "Party")
            for _ in 0..<3 { try await world.commit([change], zone: "Z") }
            #expect(try await world.shared(with: "_bob", since: token).changes == ["line", "note"])
            #expect(try await world.shared(with: "_bob").changes == ["s", "line", "note"])
            try await world.commit([delete("line")], zone: "Z")
            #expect(try await world.shared(with: "_bob", since: token).changes == ["note", "-line"])
        }
    }

    @Test(
        "A record that comes under a share appears in its feed as changed, one that leaves it as deleted",
        arguments: StoreKind.allCases)
    func comingAndGoing(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            try await world.commit([create("x"), create("y", parent: "x")], zone: "Z")
            var token = try await world.shared(with: "_bob").token
            try await world.commit([move("x", under: "note")], zone: "Z")
            let came = try await world.shared(with: "_bob", since: token)
            #expect(came.changes == ["x", "y", "note"])
            token = came.token
            try await world.commit([move("x", under: nil)], zone: "Z")
            let left = try await world.shared(with: "_bob", since: token)
            #expect(left.changes == ["-x", "-y"])
            try await world.commit([move("y", under: "line")], zone: "Z")
            #expect(try await world.shared(with: "_bob", since: left.token).changes == ["y", "line"])
            #expect(try await world.shared(with: "_bob", since: token).changes == ["-x", "y", "line"])
        }
    }

    @Test(
        "A share that a person joins later appears whole after an older token", arguments: StoreKind.allCases)
    func later(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            try await shareTwo(world)
            try await world.commit([create("low", parent: "two")], zone: "Z")
            let token = try await world.shared(with: "_bob").token
            try await world.commit([accept("t", by: "_bob")], zone: "Z")
            for size in [1, 2, 9] {
                let page = try await world.shared(with: "_bob", since: token, page: size)
                #expect(page.changes == ["low", "two", "t"])
                #expect(try await world.shared(with: "_bob", since: page.token).changes == [])
            }
            #expect(
                try await world.shared(with: "_bob").changes == ["note", "line", "s", "low", "two", "t"])
        }
    }

    @Test(
        "A share that ended for a person appears as deletions while another share of the zone continues",
        arguments: StoreKind.allCases)
    func ended(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            try await shareTwo(world)
            try await world.commit([accept("t", by: "_bob")], zone: "Z")
            let token = try await world.shared(with: "_bob").token
            try await world.commit([delete("s")], zone: "Z", as: "_bob")
            try await world.commit([create("unseen", parent: "note")], zone: "Z")
            #expect(
                try await world.shared(with: "_bob", since: token).changes.sorted() == [
                    "-line", "-note", "-s",
                ])
            #expect(try await world.shared(with: "_bob").changes == ["two", "t"])
            try await world.commit([delete("t")], zone: "Z")
            await #expect(throws: RecordError.self) { try await world.shared(with: "_bob", since: token) }
        }
    }

    @Test("A share that its owner ends appears as deletions too", arguments: StoreKind.allCases)
    func stopped(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            try await shareTwo(world)
            try await world.commit([accept("t", by: "_bob")], zone: "Z")
            let token = try await world.shared(with: "_bob").token
            try await world.commit([delete("s")], zone: "Z")
            let page = try await world.shared(with: "_bob", since: token, page: 1)
            #expect(page.changes == ["-note", "-line", "-s"])
            #expect(try await world.shared(with: "_bob", since: page.token).changes == [])
        }
    }

    @Test(
        "A record that moves from one share of a person to another is not deleted for that person",
        arguments: StoreKind.allCases)
    func fromOneToAnother(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            try await shareTwo(world)
            try await world.commit([accept("t", by: "_bob")], zone: "Z")
            let token = try await world.shared(with: "_bob").token
            try await world.commit([move("line", under: "two")], zone: "Z")
            #expect(try await world.shared(with: "_bob", since: token).changes == ["line", "two"])
            #expect(
                try await world.shared(with: "_bob").changes.sorted() == ["line", "note", "s", "t", "two"])
        }
    }

    @Test(
        "The token of a shared feed does not change when only other records change",
        arguments: StoreKind.allCases)
    func quietToken(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            let token = try await world.shared(with: "_bob").token
            let end = try await world.store.memberships(of: "_bob").map(\.end)
            try await world.commit([create("more"), move("outside", under: "more")], zone: "Z")
            try await world.commit([create("elsewhere")])
            try await world.commit([forceDelete("outside")], zone: "Z")
            let next = try await world.shared(with: "_bob", since: token)
            #expect(next.changes == [])
            #expect(next.token == token)
            #expect(try await world.shared(with: "_bob").token == token)
            #expect(try await world.store.memberships(of: "_bob").map(\.end) == end)
        }
    }

    @Test(
        "A shared feed misses no change between its pages, and ends with its limit of bytes",
        arguments: StoreKind.allCases)
    func paging(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            try await world.commit([create("x", parent: "note"), create("y", parent: "note")], zone: "Z")
            var request = ChangesRequest(zone: "Z", limit: 9, bytes: 1)
            var seen: [String] = []
            for step in 0..<9 {
                let page = try await world.store.sharedChanges(request, for: "_bob")
                // Deletions have no bytes.
                if step < 3 { #expect(page.changes.count == 1) }
                seen += page.changes.map(\.brief)
                request.since = page.token
                if step == 1 { try await world.commit([delete("x"), move("y", under: nil)], zone: "Z") }
                if !page.moreComing { break }
            }
            #expect(Set(seen).isSuperset(of: ["line", "s", "note", "-x", "-y"]))
            #expect(seen.count == Set(seen).count)
            request.limit = 0
            let asked = try await world.store.sharedChanges(request, for: "_bob")
            #expect(asked.changes == [])
            #expect(!asked.moreComing)
        }
    }

    @Test(
        "When it is forgotten that a record left a share, older tokens of the shared feed expire",
        arguments: StoreKind.allCases)
    func forgotten(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            let old = try await world.shared(with: "_bob").token
            try await world.commit([move("line", under: nil)], zone: "Z", at: 100_000)
            let new = try await world.shared(with: "_bob", since: old)
            #expect(new.changes == ["-line"])
            try await world.store.forgetDeletions(before: Timestamp(milliseconds: 100_000))
            #expect(try await world.shared(with: "_bob", since: old).changes == ["-line"])
            try await world.store.forgetDeletions(before: Timestamp(milliseconds: 100_001))
            await #expect(throws: RecordError.changeTokenExpired("Z")) {
                try await world.shared(with: "_bob", since: old)
            }
            #expect(try await world.shared(with: "_bob", since: new.token).changes == [])
            #expect(try await world.shared(with: "_bob").changes == ["note", "s"])
        }
    }

    @Test(
        "Forgotten changes of another share neither end a first pass nor expire its token",
        arguments: StoreKind.allCases)
    func forgottenElsewhere(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            try await world.commit(
                [
                    create("two"), create("low", parent: "two"),
                    share("t", of: "two", with: [invited("_carol")]),
                ], zone: "Z")
            try await world.commit([move("low", under: nil)], zone: "Z", at: 100_000)
            try await world.store.forgetDeletions(before: Timestamp(milliseconds: 100_001))
            let first = try await world.shared(with: "_bob", page: 1)
            #expect(first.changes == ["note", "line", "s"])
            #expect(try await world.shared(with: "_bob", since: first.token).changes == [])
        }
    }

    @Test(
        "Forgotten changes of a share expire the tokens of the people who took part in it, and no others",
        arguments: StoreKind.allCases)
    func horizons(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            let people = [invited("_carol"), invited("_dora")]
            try await world.commit(
                [create("two"), create("low", parent: "two"), share("t", of: "two", with: people)],
                zone: "Z")
            for person in ["_carol", "_dora"] { try await world.commit([accept("t", by: person)], zone: "Z") }
            try await world.commit([invite([invited("_bob"), invited("_dora")], to: "s")], zone: "Z")
            try await world.commit([accept("s", by: "_dora")], zone: "Z")
            var old: [String: ChangeToken] = [:]
            for person in ["_bob", "_carol", "_dora"] {
                old[person] = try await world.shared(with: person).token
            }
            try await world.commit([move("low", under: nil)], zone: "Z", at: 100_000)
            let seen = try await world.shared(with: "_dora", since: old["_dora"])
            #expect(seen.changes == ["-low"])
            try await world.store.forgetDeletions(before: Timestamp(milliseconds: 100_001))
            #expect(try await world.shared(with: "_bob", since: old["_bob"]).changes == [])
            for person in ["_carol", "_dora"] {
                await #expect(throws: RecordError.changeTokenExpired("Z")) {
                    try await world.shared(with: person, since: old[person])
                }
            }
            #expect(try await world.shared(with: "_dora", since: seen.token).changes == [])

            // The end of a share is forgotten, too.
            try await world.commit([delete("t")], zone: "Z", at: 200_000)
            let after = try await world.shared(with: "_dora", since: seen.token)
            #expect(after.changes == ["-two", "-t"])
            try await world.store.forgetDeletions(before: Timestamp(milliseconds: 200_001))
            await #expect(throws: RecordError.changeTokenExpired("Z")) {
                try await world.shared(with: "_dora", since: seen.token)
            }
            #expect(try await world.shared(with: "_dora", since: after.token).changes == [])
            #expect(try await world.shared(with: "_bob", since: old["_bob"]).changes == [])

            // Carol's token is from a share whose end was forgotten.
            let new = [create("three"), share("u", of: "three", with: [invited("_carol")])]
            try await world.commit(new, zone: "Z")
            try await world.commit([accept("u", by: "_carol")], zone: "Z")
            await #expect(throws: RecordError.changeTokenExpired("Z")) {
                try await world.shared(with: "_carol", since: old["_carol"])
            }
            let first = try await world.shared(with: "_carol")
            #expect(first.changes == ["three", "u"])
            #expect(try await world.shared(with: "_carol", since: first.token).changes == [])
        }
    }

    @Test(
        "If the end of a share and records that left others are forgotten at once, the last of them counts",
        arguments: StoreKind.allCases)
    func forgottenTogether(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            let (live, bob) = (["a", "b", "c", "d", "e", "f"], [invited("_bob")])
            for name in live + ["ended"] {
                try await world.commit(
                    [
                        create(name), create("\(name)-line", parent: name),
                        share("share-\(name)", of: name, with: bob),
                    ], zone: "Z")
                try await world.commit([accept("share-\(name)", by: "_bob")], zone: "Z")
            }
            try await world.commit(live.map { move("\($0)-line", under: nil) }, zone: "Z", at: 100_000)
            try await world.commit([delete("share-ended")], zone: "Z", at: 100_000)
            let end = try await world.store.memberships(of: "_bob").compactMap(\.left).max()
            try await world.store.forgetDeletions(before: Timestamp(milliseconds: 100_001))
            let rest = try await world.store.memberships(of: "_bob")
            #expect(rest.map(\.name) == ["s"] + live.map { "share-\($0)" })
            #expect(Set(rest.map(\.horizon)) == [end ?? 0])
        }
    }

    @Test("A share of a zone shows all its records", arguments: StoreKind.allCases)
    func wide(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            _ = try await world.store.createZone(named: "Z")
            try await world.commit(
                [create("a"), create("b"), share(of: nil, with: [invited("_bob")])], zone: "Z")
            try await world.commit([accept(Share.zoneWideName, by: "_bob")], zone: "Z")
            let first = try await world.shared(with: "_bob")
            #expect(first.changes == ["a", "b", Share.zoneWideName])
            #expect(try await world.covering("a", "missing") == [Share.zoneWideName, "-"])
            let saved = try await world.commit([create("c"), forceDelete("a")], zone: "Z", as: "_bob")
            #expect(saved.map(\.brief) == ["c", "-a"])
            #expect(try await world.shared(with: "_bob", since: first.token).changes == ["c", "-a"])
            try await world.commit([delete(Share.zoneWideName)], zone: "Z")
            await #expect(throws: RecordError.zoneNotFound("Z")) { try await world.shared(with: "_bob") }
        }
    }

    @Test("A person without a share in a zone does not find the zone", arguments: StoreKind.allCases)
    func stranger(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            let token = try await world.shared(with: "_bob").token
            await #expect(throws: RecordError.zoneNotFound("Z")) { try await world.shared(with: "_carol") }
            try await world.commit([invite([], to: "s")], zone: "Z")
            await #expect(throws: RecordError.zoneNotFound("Z")) {
                try await world.shared(with: "_bob", since: token)
            }
        }
    }

    @Test(
        "A page of a shared feed ends after a limited number of rows, with or without changes",
        arguments: StoreKind.allCases)
    func rowsOfPage(kind: StoreKind) async throws {
        #expect(Limits().sharedRowsPerPage == 2000)
        try await withWorld(kind) { world in
            try await world.shareNote()
            let passing = (0..<9).map { "passing\($0)" }
            try await world.commit(passing.map { create($0, parent: "note") }, zone: "Z")
            try await world.commit(passing.map { move($0, under: nil) }, zone: "Z")
            try await world.commit([invite([invited("_bob"), invited("_carol")], to: "s")], zone: "Z")
            try await world.commit([accept("s", by: "_carol")], zone: "Z")
            try await world.commit([create("last", parent: "note")], zone: "Z")
            let whole = try await world.shared(with: "_carol")
            for rows in 1...12 {
                var request = ChangesRequest(zone: "Z", limit: 4, sharedRows: rows)
                var changes: [String] = []
                var (pages, emptyPages, moreComing) = (0, 0, true)
                while moreComing {
                    let page = try await world.store.sharedChanges(request, for: "_carol")
                    #expect(page.token != request.since)
                    changes += page.changes.map(\.brief)
                    pages += 1
                    if page.changes.isEmpty { emptyPages += 1 }
                    (request.since, moreComing) = (page.token, page.moreComing)
                }
                #expect(changes == whole.changes, "\(rows) rows")
                #expect(request.since == whole.token)
                // Thirteen rows: nine that are no changes for Carol, and four changes.
                #expect(pages == (13 + rows - 1) / rows)
                #expect(rows > 4 || emptyPages > 0)
            }
        }
    }

    @Test(
        """
        A database keeps a limited number of traces of records that left shares and of shares that ended; \
        the oldest are forgotten
        """,
        arguments: StoreKind.allCases)
    func surplus(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            var limits = Limits()
            limits.deletionsPerDatabase = 4
            try await world.shareNote()
            try await world.commit([invite([invited("_bob"), invited("_carol")], to: "s")], zone: "Z")
            try await world.commit([accept("s", by: "_carol")], zone: "Z")
            let bob = try await world.shared(with: "_bob").token
            let carol = try await world.shared(with: "_carol").token
            for number in 0..<9 {
                let root = try await world.store.records(named: ["outside"], in: "Z")[0]
                let name = "t\(number)"
                let share = share(
                    name, of: "outside", with: [invited("_carol")], tag: root?.changeTag)
                for operation in [share, accept(name, by: "_carol"), delete(name)] {
                    let results = try await world.commit([operation], zone: "Z", limits: limits)
                    #expect(results[0].error == nil)
                }
                // Four traces are kept, and so many has the last share: two records, itself, one membership.
                let known = try await world.store.memberships(of: "_carol").map(\.name)
                #expect(known == ["s", name])
            }
            #expect(try await world.shared(with: "_bob", since: bob).changes == [])
            let error = await #expect(throws: RecordError.self) {
                try await world.shared(with: "_carol", since: carol)
            }
            #expect(error?.code == .changeTokenExpired)
            #expect(try await world.shared(with: "_carol").changes.sorted() == ["line", "note", "s"])
        }
    }
}
