import RecordStore
import Records
import Testing

@Suite("Contract: zones")
struct ZoneTests {
    @Test(
        "Every database has the default zone, which is not atomic and has no token",
        arguments: StoreKind.allCases)
    func defaultZone(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let zones = try await world.store.zones()
            #expect(zones == [Zone(id: .default, isAtomic: false)])
        }
    }

    @Test(
        "Zones are listed by name after the default zone; custom zones are atomic and have a token",
        arguments: StoreKind.allCases)
    func list(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let made = try await world.store.createZone(named: "b")
            for name in ["a", "B", "c"] { _ = try await world.store.createZone(named: name) }
            let zones = try await world.store.zones()
            #expect(zones.map(\.id.name) == ["_defaultZone", "B", "a", "b", "c"])
            #expect(zones.map(\.isAtomic) == [false, true, true, true, true])
            #expect(zones.dropFirst().allSatisfy { $0.syncToken != nil })
            #expect(zones[3] == made)
        }
    }

    @Test("Creating a zone that exists returns it as it is", arguments: StoreKind.allCases)
    func createTwice(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            _ = try await world.store.createZone(named: "Z")
            try await world.create("a", zone: "Z")
            let before = try await world.state()
            let zone = try await world.store.createZone(named: "Z")
            let listed = try await world.store.zones()
            #expect(listed.contains(zone))
            #expect(try await world.state() == before)
        }
    }

    @Test("A zone's token stands for its last change", arguments: StoreKind.allCases)
    func token(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            _ = try await world.store.createZone(named: "Z")
            try await world.create("a", zone: "Z")
            let token = try #require(try await world.store.zones().last?.syncToken)
            #expect(try await world.changes(in: "Z", since: token) == [])
            try await world.create("elsewhere")
            #expect(try await world.store.zones().last?.syncToken == token)
            try await world.create("b", zone: "Z")
            #expect(try await world.changes(in: "Z", since: token).map(\.brief) == ["b"])
            #expect(try await world.store.zones().last?.syncToken != token)
        }
    }

    @Test("The same name in two zones is two records", arguments: StoreKind.allCases)
    func names(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            _ = try await world.store.createZone(named: "Z")
            try await world.create("a", ["n": number(1)])
            try await world.create("a", ["n": number(2)], zone: "Z")
            try await world.commit([delete("a")])
            #expect(try await world.fetch("a") == nil)
            #expect(try await world.fetch("a", zone: "Z")?.fields == ["n": number(2)])
        }
    }

    @Test(
        "Deleting a zone deletes all its records and index entries, and nothing of other zones",
        arguments: StoreKind.allCases)
    func deletion(kind: StoreKind) async throws {
        let fields: Fields = [
            "title": text("Tea time"), "tags": texts("x", "y"), "at": place(1, 2),
            "to": link("root", .deleteSelf),
            "n": number(5),
        ]
        try await withWorld(kind) { world in
            _ = try await world.store.createZone(named: "Z")
            try await world.create("a", fields)
            let before = try await world.state().filter { !$0.hasPrefix("zone Z") }
            try await world.commit([create("a", fields), create("b", fields, parent: "a")], zone: "Z")
            try await world.store.deleteZone(named: "Z")
            #expect(try await world.state() == before)
            _ = try await world.store.createZone(named: "Z")
            for zone in [nil, "Z"] {
                let expected = zone == nil ? ["a"] : []
                #expect(try await world.find(field("n", .equals, number(5)), zone: zone) == expected)
                #expect(try await world.find(field("tags", .listContains, text("x")), zone: zone) == expected)
                #expect(
                    try await world.find(field("title", .containsAllTokens, text("tea")), zone: zone)
                        == expected)
                #expect(
                    try await world.find(field("at", .near, place(1, 2), within: 9), zone: zone) == expected)
            }
            try await world.commit([create("root")], zone: "Z")
            #expect(try await world.outcome([delete("root")], zone: "Z") == ["-root"])
        }
    }

    @Test(
        "A zone that is created again is another zone: tokens of the old one are expired",
        arguments: StoreKind.allCases)
    func incarnation(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let first = try await world.store.createZone(named: "Z")
            let old = try await world.create("a", zone: "Z")
            try await world.store.deleteZone(named: "Z")
            let second = try await world.store.createZone(named: "Z")
            #expect(first.syncToken != second.syncToken)
            for isReversed in [false, true] {
                let token = try FeedPosition(try #require(first.syncToken))
                let mine = FeedPosition(
                    database: token.database, zone: token.zone, sequence: 99,
                    feed: isReversed ? .recordsReversed : .records
                )
                let error = await #expect(throws: RecordError.self) {
                    try await world.changes(in: "Z", since: mine.token, isReversed: isReversed)
                }
                #expect(error?.code == .changeTokenExpired)
                #expect(error?.reason == "client knowledge differs from server knowledge")
            }
            let again = try await world.create("a", zone: "Z")
            #expect(again.changeTag != old.changeTag)
            #expect(try await world.outcome([update(old, ["n": number(1)])], zone: "Z") == ["a: conflict"])
        }
    }

    @Test(
        "Zones are listed page by page, and looked up by name in the order asked",
        arguments: StoreKind.allCases)
    func pages(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            for name in ["b", "a", "B", "c"] { _ = try await world.store.createZone(named: name) }
            let all = try await world.store.zones()
            #expect(all.map(\.id.name) == [ZoneID.defaultName, "B", "a", "b", "c"])
            for size in 1...6 {
                var listed: [Zone] = []
                while listed.count < all.count {
                    let page = try await world.store.zones(after: listed.last?.id.name, limit: size)
                    #expect(page.count == min(size, all.count - listed.count))
                    listed += page
                    if page.isEmpty { break }
                }
                #expect(listed == all)
            }
            #expect(try await world.store.zones(after: "c", limit: 5) == [])
            #expect(try await world.store.zones(after: "aa", limit: 1).map(\.id.name) == ["b"])
            #expect(try await world.store.zones(after: nil, limit: 0) == [])
            let found = try await world.store.zones(named: ["c", "none", ZoneID.defaultName, "c"])
            #expect(found == [all[4], nil, all[0], all[4]])
        }
    }

    @Test("The number of custom zones of a database is limited", arguments: StoreKind.allCases)
    func maximumZones(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            func create(_ name: String) async throws -> Zone {
                try await world.store.createZone(
                    named: name, by: Stamp(at: Timestamp(milliseconds: 1), by: "_alice"), atMost: 2)
            }
            let first = try await create("A")
            _ = try await create("B")
            let error = await #expect(throws: RecordError.self) { try await create("C") }
            #expect(error?.code == .limitExceeded)
            #expect(error?.culprit == "C")
            #expect(error?.nextStep?.isEmpty == false)
            #expect(try await create("A") == first)
            try await world.store.deleteZone(named: "B")
            _ = try await create("C")
            #expect(try await world.store.zones().map(\.id.name) == [ZoneID.defaultName, "A", "C"])
        }
    }

    @Test("The default zone cannot be deleted", arguments: StoreKind.allCases)
    func deleteDefault(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.create("a")
            let error = await #expect(throws: RecordError.self) {
                try await world.store.deleteZone(named: "_defaultZone")
            }
            #expect(error?.code == .badRequest)
            #expect(try await world.names() == ["a"])
        }
    }

    @Test("A purge or reset empties the default zone, and leaves it there", arguments: StoreKind.allCases)
    func emptyDefault(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            for reason in [ZoneDeletionReason.purged, .encryptedDataReset] {
                let name = "\(reason)"
                try await world.create("a", ["file": file(name)])
                try await world.create("b", ["n": number(1)])
                try await world.commit([delete("b")])
                let request = ChangesRequest(zone: "_defaultZone", limit: 9)
                let token = try await world.store.changes(request).token
                try await world.store.deleteZone(
                    named: "_defaultZone", reason: reason, at: Timestamp(milliseconds: 0))
                #expect(try await world.changes() == [])
                #expect(try await world.store.zones() == [Zone(id: .default, isAtomic: false)])
                #expect(try await world.store.zoneChanges(since: nil, limit: 9).changes == [])
                #expect(try await world.store.releasedAssets(limit: 9).contains(name))
                let error = await #expect(throws: RecordError.self) { try await world.changes(since: token) }
                #expect(error?.code == .changeTokenExpired)
            }
        }
    }

    @Test(
        """
        A request for a zone that was purged or reset fails with that reason, until the zone is created \
        again or its deletion is forgotten
        """,
        arguments: StoreKind.allCases)
    func absence(kind: StoreKind) async throws {
        let reasons: [(ZoneDeletionReason, RecordError.Code)] = [
            (.deleted, .zoneNotFound), (.purged, .zonePurged), (.encryptedDataReset, .zoneReset),
        ]
        for (reason, code) in reasons {
            try await withWorld(kind) { world in
                let time = Timestamp(milliseconds: 5000)
                for name in ["Y", "Z"] {
                    _ = try await world.store.createZone(named: name)
                    try await world.create("a", zone: name)
                    try await world.store.deleteZone(named: name, reason: reason, at: time)
                }
                #expect(try await Self.refusals(in: "Z", world) == Array(repeating: code, count: 6))
                _ = try await world.store.createZone(named: "Z")
                #expect(try await Self.refusals(in: "Z", world) == [])
                #expect(try await Self.refusals(in: "Y", world).first == code)
                try await world.store.forgetDeletions(before: time.advanced(bySeconds: 1))
                #expect(try await Self.refusals(in: "Y", world).first == .zoneNotFound)
            }
        }
    }

    /// The error codes of all ways to use a zone; empty if all succeed.
    private static func refusals(in zone: String, _ world: World) async throws -> [RecordError.Code] {
        let plan = QueryPlan(recordType: "Party", zone: zone, limit: 1)
        let ways: [() async throws -> Void] = [
            { _ = try await world.commit([], zone: zone) },
            { _ = try await world.store.records(named: ["a"], in: zone) },
            { _ = try await world.store.assets(of: ["a": ["A"]], inZone: zone) },
            { _ = try await world.changes(in: zone) },
            { _ = try await world.store.query(plan) },
            { try await world.store.deleteZone(named: zone) },
        ]
        var codes: [RecordError.Code] = []
        for way in ways {
            do { try await way() } catch let error as RecordError {
                #expect(error.culprit == zone)
                codes.append(error.code)
            }
        }
        if codes.isEmpty { _ = try await world.store.createZone(named: zone) }
        return codes
    }
}
