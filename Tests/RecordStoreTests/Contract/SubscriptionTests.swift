import RecordStore
import Records
import RecordsWire
import Testing

@Suite("Contract: subscriptions")
struct SubscriptionTests {
    @Test(
        """
        A created subscription is returned as it was given; creating it again under the same ID leaves the \
        existing one unchanged
        """,
        arguments: StoreKind.allCases)
    func kept(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            var info = NotificationInfo()
            info.alert = .init("é", key: "K", arguments: ["a", "b"])
            info.title = .init("t")
            info.subtitle = .init(key: "s", arguments: ["c"])
            (info.actionKey, info.launchImage, info.sound) = ("act", "image", "default")
            (info.category, info.collapseKey, info.additionalFields) = ("cat", "col", ["x"])
            (info.shouldBadge, info.shouldSendContentAvailable) = (true, true)
            info.shouldSendMutableContent = true
            let all = [
                query("q", field("n", .greaterThan, number(3)), once: true, zone: "Z", info: info),
                query("p", on: [.delete], info: NotificationInfo()), zone("z", "Notes", type: "Note"),
                database("d"), database("e", type: "T"),
            ]
            for subscription in all { try await world.subscribe(subscription) }
            #expect(try await world.store.subscriptions(of: "_bob") == all)
            #expect(try await world.store.subscriptions(of: "_eve") == [])
            #expect(try await world.subscribing(.create(zone("d", "Other"))) == ["d"])
            #expect(try await world.store.subscriptions(of: "_bob") == all)
            #expect(world.store.hasSubscriptions)
        }
    }

    @Test(
        "An update replaces a subscription; updating or deleting a missing one fails",
        arguments: StoreKind.allCases)
    func replaced(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            #expect(!world.store.hasSubscriptions)
            _ = try await world.store.createZone(named: "A")
            _ = try await world.store.createZone(named: "B")
            try await world.subscribe(zone("z", "A"))
            #expect(
                try await world.subscribing(.update(zone("z", "B")), .update(zone("y", "A")), .delete("x"))
                    == ["z", "y: notFound", "x: notFound"])
            let told = try await world.told {
                try await world.create("a", zone: "A")
                try await world.create("b", zone: "B")
            }
            #expect(told == ["_bob z zone B"])
            // A person cannot delete a subscription of another person.
            #expect(try await world.subscribing(.delete("z"), as: "_eve") == ["z: notFound"])
            #expect(try await world.subscribing(.delete("z")) == ["-z"])
            #expect(!world.store.hasSubscriptions)
            #expect(try await world.told { try await world.create("c", zone: "B") } == [])
        }
    }

    @Test(
        "A person has one query subscription for each record type, condition, zone and set of events",
        arguments: StoreKind.allCases)
    func unique(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let first = query("one", on: [.create, .update])
            let twin = query("two", on: [.update, .create], once: true)
            #expect(
                try await world.subscribing(.create(first), .create(twin)) == ["one", "two: internalError"])
            #expect(
                try await world.subscribing(
                    .create(query("three", on: [.create])), .create(query("four", type: "Other")),
                    .update(query("three", on: [.create, .update])))
                    == ["three", "four", "three: internalError"])
            #expect(try await world.subscribing(.create(twin), as: "_eve") == ["two"])
            let (above, below) = (field("n", .greaterThan, number(1)), field("n", .lessThan, number(9)))
            #expect(
                try await world.subscribing(
                    .create(query("above", above)), .create(query("below", below)),
                    .create(query("both", above, below)), .create(query("again", below, above)),
                    .create(query("notes", above, zone: "Notes")),
                    .create(query("more", above, zone: "Notes")),
                    .update(query("below", above)), .delete("above"), .update(query("below", above)))
                    == [
                        "above", "below", "both", "again: internalError", "notes", "more: internalError",
                        "below: internalError", "-above", "below",
                    ])
            #expect(try await world.subscribing(.delete("one"), .create(twin)) == ["-one", "two"])
            let results = try await world.store.modifySubscriptions(
                [.create(first)], of: "_bob", limits: Limits())
            guard case .failure(_, let error) = results[0] else { throw Unexpected(text: "\(results)") }
            #expect(error.reason == "could not find subscription we just created")
            #expect(error.culprit == "one")
            #expect(error.nextStep?.contains("two") == true)
        }
    }

    @Test("The number of subscriptions of a person is limited", arguments: StoreKind.allCases)
    func limited(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            var limits = Limits()
            limits.subscriptions = 2
            let results = try await world.subscribing(
                .create(database("a")), .create(database("b")), .create(database("c")), .delete("a"),
                .create(database("c")), limits: limits)
            #expect(results == ["a", "b", "c: limitExceeded", "-a", "c"])
        }
    }

    @Test(
        "One change fires a limited number of a person's subscriptions, the oldest first",
        arguments: StoreKind.allCases)
    func perChange(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            var limits = Limits()
            #expect(limits.pushesPerChange == 20)
            limits.pushesPerChange = 2
            _ = try await world.store.createZone(named: "Z")
            for place in 0..<4 {
                let isAbove = field("n", .greaterThan, number(Int64(place)))
                try await world.subscribe(query("q\(place)", isAbove), zone("z\(place)", "Z"))
            }
            try await world.subscribe(query("other", on: [.create]), as: "_eve")
            let records = [create("a", ["n": number(9)]), create("b", ["n": number(9)])]
            let told = try await world.told { try await world.commit(records, limits: limits) }
            #expect(
                told == [
                    "_bob q0 create a", "_bob q1 create a", "_eve other create a", "_bob q0 create b",
                    "_bob q1 create b", "_eve other create b",
                ])
            let inZone = try await world.told {
                try await world.commit([create("c")], zone: "Z", limits: limits)
            }
            #expect(inZone == ["_eve other create c", "_bob z0 zone Z", "_bob z1 zone Z"])
        }
    }

    @Test(
        "One commit makes a limited number of notifications for a person, of the first changes",
        arguments: StoreKind.allCases)
    func perCommit(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            var limits = Limits()
            #expect(limits.pushesPerCommit == 200)
            limits.pushesPerCommit = 3
            try await world.subscribe(query("q1"), query("q2", on: [.create], once: true), database("all"))
            try await world.subscribe(query("other", on: [.create]), as: "_eve")
            let told = try await world.told {
                try await world.commit([create("a"), create("b")], limits: limits)
            }
            #expect(
                told == [
                    "_bob q1 create a", "_bob q2 create a", "_eve other create a", "_bob q1 create b",
                    "_eve other create b",
                ])
            _ = try await world.store.createZone(named: "Z")
            let next = try await world.told {
                try await world.commit(
                    ["c", "d", "e", "f"].map { create($0) }, zone: "Z", limits: limits)
            }
            #expect(
                next == [
                    "_bob q1 create c", "_eve other create c", "_bob q1 create d", "_eve other create d",
                    "_bob q1 create e", "_eve other create e", "_bob all database",
                ])
        }
    }

    @Test(
        "Above a number of notifications for all people, one commit tells only people who got none from it",
        arguments: StoreKind.allCases)
    func perCommitOfAll(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            var limits = Limits()
            #expect(limits.pushesPerCommitOfAll == 10_000)
            limits.pushesPerCommitOfAll = 3
            try await world.subscribe(query("q1"))
            try await world.subscribe(query("q2"), as: "_eve")
            try await world.subscribe(query("q3", on: [.delete]), as: "_zoe")
            try await world.commit([create("z")])
            let told = try await world.told {
                try await world.commit(
                    [create("a"), create("b"), create("c"), delete("z")], limits: limits)
            }
            #expect(
                told == [
                    "_bob q1 create a", "_eve q2 create a", "_bob q1 create b", "_zoe q3 delete z",
                ])
        }
    }

    @Test(
        "The notifications of one commit for a person have limited texts; the first has any",
        arguments: StoreKind.allCases)
    func bytesPerCommit(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            var limits = Limits()
            #expect(limits.pushBytesPerCommit == 262_144)
            var info = NotificationInfo()
            info.alert = NotificationInfo.Text(String(repeating: "x", count: 97))
            // With the names of subscription and record, each notification has 100 bytes.
            try await world.subscribe(query("q1", info: info))
            for (most, count) in [(99, 1), (100, 1), (299, 2), (300, 3)] {
                limits.pushBytesPerCommit = most
                let told = try await world.told {
                    try await world.commit(
                        ["a", "b", "c", "d"].map {
                            RecordOperation(
                                .forceReplace, recordName: $0, recordType: "Party")
                        }, limits: limits)
                }
                #expect(told.count == count, "\(most)")
            }
        }
    }

    @Test(
        """
        A query subscription fires for a record that matches after a save, or that matched before its \
        deletion
        """,
        arguments: StoreKind.allCases)
    func beforeAndAfter(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.subscribe(query("big", field("n", .greaterThan, number(100))))
            try await world.subscribe(query("born", on: [.create]), as: "_eve")
            let a = try await world.create("a", ["n": number(5)])
            #expect(try await world.told() == ["_eve born create a"])
            var told = try await world.told { try await world.save(update(a, ["n": number(500)])) }
            #expect(told == ["_bob big update a"])
            told = try await world.told {
                try await world.commit([
                    create("b", ["n": number(101)]), create("c", ["n": number(100)]),
                    create("d", type: "Other", ["n": number(900)]), delete("a"),
                ])
            }
            #expect(
                told == [
                    "_bob big create b", "_eve born create b", "_eve born create c", "_bob big delete a",
                ])
        }
    }

    /// One condition of each kind that a query can have, by name.
    private static let everyCondition: [(String, Filter)] = [
        ("equal", field("name", .equals, text("Beta Zeta"))), ("in", field("n", .isIn, numbers(4, 7))),
        ("not", field("n", .notEquals, number(8))), ("less", field("n", .lessThan, number(8))),
        ("most", field("n", .lessThanOrEquals, number(7))), ("more", field("n", .greaterThan, number(6))),
        ("least", field("n", .greaterThanOrEquals, number(7))),
        ("begins", field("name", .beginsWith, text("Bet"))),
        ("near", field("at", .near, place(37.78, -122.41), within: 2000)),
        ("across", field("pole", .near, place(0, -179.9), within: 50_000)),
        ("wide", field("at", .near, place(0, 0), within: 3e7)),
        ("words", field("name", .containsAllTokens, text("zeta beta"))),
        ("any", Filter(nil, .containsAnyTokens, .string("nowhere zeta"))),
        ("holds", field("tags", .listContains, text("b"))),
        ("holdsAny", field("tags", .listContainsAny, texts("x", "a"))),
        ("holdsAll", field("tags", .listContainsAll, texts("b", "a"))),
        ("member", field("tags", .listMemberBeginsWith, text("b"))),
        ("link", field("to", .equals, link("there"))),
        ("maker", system(.createdUserRecordName, .equals, link("_alice"))),
    ]

    @Test("A subscription can have every condition that a query can have", arguments: StoreKind.allCases)
    func conditions(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let hit: Fields = [
                "name": text("Beta Zeta"), "n": number(7), "at": place(37.79, -122.41),
                "pole": place(0.1, 179.9), "tags": texts("a", "b"), "to": link("there"),
            ]
            let miss: Fields = [
                "name": text("Alpha"), "n": number(8), "at": place(-89, 100), "pole": place(1, 178),
                "tags": texts("c"), "to": link("elsewhere"),
            ]
            world.declare { $0.grow(by: create("a", hit)) }
            for (name, filter) in Self.everyCondition {
                try await world.subscribe(query(name, filter, on: [.create]), as: name)
                if name == "maker" || name == "wide" { continue }
                let negative = ["less", "most", "more", "least"].contains(name)
                if !negative { try await world.subscribe(query("d", filter, on: [.delete]), as: name) }
            }
            let told = try await world.told { try await world.create("a", hit) }
            let all = Self.everyCondition.map { "\($0.0) \($0.0) create a" }
            #expect(told == all)
            let others = try await world.told { try await world.create("b", miss, by: "_eve") }
            #expect(others == ["more more create b", "least least create b", "wide wide create b"])
            let last = try await world.told { try await world.commit([delete("b")]) }
            #expect(last == [])
        }
    }

    @Test("A subscription that fires once ends with its first push", arguments: StoreKind.allCases)
    func once(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.subscribe(query("q", once: true))
            try await world.subscribe(query("q", once: true), as: "_eve")
            try await world.subscribe(query("p", type: "Other"), as: "_eve")
            #expect(
                try await world.told { try await world.commit([create("a"), create("b")]) }
                    == ["_bob q create a", "_eve q create a"])
            #expect(try await world.store.subscriptions(of: "_bob") == [])
            #expect(try await world.store.subscriptions(of: "_eve").map(\.id) == ["p"])
            #expect(try await world.told { try await world.create("c") } == [])
        }
    }

    @Test(
        "A subscription to a zone fires once for each commit that changes it", arguments: StoreKind.allCases)
    func zones(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            _ = try await world.store.createZone(named: "Notes")
            try await world.subscribe(zone("n", "Notes"), zone("typed", "Notes", type: "Note"))
            #expect(
                try await world.told {
                    try await world.commit([create("a"), create("b")], zone: "Notes")
                    try await world.create("c", type: "Note", zone: "Notes")
                    try await world.create("d")
                    try await world.commit([create("a")], zone: "Notes")
                } == ["_bob n zone Notes", "_bob n zone Notes", "_bob typed zone Notes"])
            #expect(
                try await world.told { try await world.store.deleteZone(named: "Notes") }
                    == ["_bob n zone Notes", "_bob typed zone Notes"])
        }
    }

    @Test(
        """
        A subscription to a database fires for changes in every custom zone, and when one is created or \
        deleted
        """,
        arguments: StoreKind.allCases)
    func databases(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.subscribe(database("all"))
            #expect(
                try await world.told {
                    _ = try await world.store.createZone(named: "New")
                    _ = try await world.store.createZone(named: "New")
                    try await world.create("a")
                    try await world.create("a", zone: "New")
                    try await world.store.deleteZone(named: "New")
                } == ["_bob all database", "_bob all database", "_bob all database"])
        }
    }

    @Test("A person who may not read a record gets no push about it", arguments: StoreKind.allCases)
    func audience(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.subscribe(query("q"))
            try await world.subscribe(query("q", once: true), as: "_eve")
            let batch = WriteBatch(
                operations: [create("a")], stamp: Stamp(at: Timestamp(milliseconds: 1), by: "_alice"),
                schema: Schema(types: ["Party": TypeSchema(name: "Party")]),
                mayNotify: { person, record in person == record.created.by || person == "_bob" }
            )
            #expect(try await world.told { _ = try await world.store.commit(batch) } == ["_bob q create a"])
            #expect(try await world.store.subscriptions(of: "_eve").count == 1)
        }
    }

    @Test("A batch that is undone causes no push", arguments: StoreKind.allCases)
    func undone(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            _ = try await world.store.createZone(named: "Z")
            try await world.subscribe(query("q"), zone("z", "Z"))
            try await world.create("root", zone: "Z")
            try await world.create("leaf", ["to": link("root", .deleteSelf)], zone: "Z")
            try await world.create("holder", ["to": link("leaf", .validate)], zone: "Z")
            let told = try await world.told {
                _ = try await world.commit([create("a"), create("root")], zone: "Z", atomic: true)
                _ = try await world.commit([delete("root")], zone: "Z")
            }
            #expect(told == [])
            #expect(
                try await world.told {
                    _ = try await world.commit([create("a"), delete("root"), create("root")], zone: "Z")
                } == ["_bob q create a", "_bob z zone Z"])
        }
    }
}
