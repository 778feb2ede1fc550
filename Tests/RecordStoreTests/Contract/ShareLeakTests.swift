import RecordStore
import Records
import Synchronization
import Testing

/// Tests that writes by participants neither change nor reveal records outside of a share.
@Suite("Contract: what participants learn and change outside of a share")
struct ShareLeakTests {
    @Test(
        "The name of a record that a participant may not see is refused like a free name",
        arguments: StoreKind.allCases)
    func names(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            try await world.commit(
                [invite([invited("_bob"), invited("_carol", .readOnly)], to: "s")], zone: "Z")
            try await world.commit([accept("s", by: "_carol")], zone: "Z")
            let operations: [(String) -> RecordOperation] = [
                { create($0) }, { create($0, parent: "outside") }, { create($0, parent: "missing") },
                { move($0, under: "outside") }, { move($0, under: nil) }, { delete($0) }, { forceDelete($0) },
                { share($0, of: "note") },
                { RecordOperation(.update, recordName: $0, recordType: "Party") },
                { RecordOperation(.replace, recordName: $0, recordType: "Party") },
            ]
            func refusal(_ operation: RecordOperation, _ person: String) async throws -> RecordError? {
                let error = try await world.commit([operation], zone: "Z", as: person)[0].error
                #expect(error != nil)
                return error
            }
            for operation in operations {
                for person in ["_bob", "_carol"] {
                    let hidden = try await refusal(operation("outside"), person)
                    let free = try await refusal(operation("free"), person)
                    #expect(hidden?.code == free?.code)
                    #expect(hidden?.reason == free?.reason)
                    #expect(hidden?.nextStep == free?.nextStep)
                    #expect(hidden?.serverRecord == nil)
                }
            }
            let hidden = try await refusal(create("outside", parent: "note"), "_carol")
            let free = try await refusal(create("free", parent: "note"), "_carol")
            #expect(hidden?.reason == free?.reason)
            #expect(
                try await world.commit([create("outside", parent: "note")], zone: "Z", as: "_bob")
                    .map(\.brief) == ["outside: accessDenied"])
        }
    }

    @Test("A participant's save of a root leaves the root's parent as it is", arguments: StoreKind.allCases)
    func parentOfRoot(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            try await world.commit([move("note", under: "outside")], zone: "Z")
            let before = try await world.fetch("outside", zone: "Z")
            let change = RecordOperation(.forceUpdate, recordName: "note", recordType: "Party")
            let results = try await world.commit([change], zone: "Z", as: "_bob")
            #expect(results.map(\.brief) == ["note"])
            #expect(try await world.fetch("outside", zone: "Z")?.changeTag == before?.changeTag)
            let replacement = RecordOperation(.forceReplace, recordName: "note", recordType: "Party")
            for operation in [replacement, move("note", under: nil)] {
                let saved = try await world.commit([operation], zone: "Z", as: "_bob")
                #expect(saved.map(\.brief) == ["note"])
                #expect(try await world.fetch("note", zone: "Z")?.parent == "outside")
            }
            // The right name is refused like any other.
            let guess = try await world.commit([move("note", under: "outside")], zone: "Z", as: "_bob")
            #expect(guess.map(\.brief) == ["note: accessDenied"])
            let line = RecordOperation(.forceUpdate, recordName: "line", recordType: "Party")
            let root = try await world.fetch("note", zone: "Z")
            try await world.commit([line], zone: "Z", as: "_bob")
            #expect(try await world.fetch("note", zone: "Z")?.changeTag != root?.changeTag)
        }
    }

    @Test(
        "A participant's save is refused before anything of a hidden record is looked at",
        arguments: StoreKind.allCases)
    func order(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            let asked = Mutex<[String]>([])
            let operations = ["outside", "free"].map {
                RecordOperation(.forceUpdate, recordName: $0, recordType: "Party")
            }
            let results = try await world.commit(
                operations, zone: "Z", as: "_bob",
                authorize: { operation, _ in
                    asked.withLock { $0.append(operation.recordName ?? "") }
                    return nil
                })
            #expect(results.map(\.brief) == ["outside: accessDenied", "free: accessDenied"])
            #expect(asked.withLock { $0 } == [])
        }
    }

    /// Adds a share `t` of the root `two`, in which Bob and Carol take part.
    private func shareTwo(_ world: World) async throws {
        let people = [invited("_bob"), invited("_carol")]
        try await world.commit([create("two"), share("t", of: "two", with: people)], zone: "Z")
        for person in ["_bob", "_carol"] { try await world.commit([accept("t", by: person)], zone: "Z") }
    }

    @Test("A feed does not name a record that its reader has never seen", arguments: StoreKind.allCases)
    func neverSeen(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            try await shareTwo(world)
            try await world.commit([create("x", parent: "note")], zone: "Z")
            let bob = try await world.shared(with: "_bob").token
            try await world.commit([delete("s")], zone: "Z", as: "_bob")
            try await world.commit([move("x", under: nil)], zone: "Z")
            try await world.commit([invite([invited("_carol")], to: "s")], zone: "Z")
            try await world.commit([accept("s", by: "_carol")], zone: "Z")
            let carol = try await world.shared(with: "_carol").token
            try await world.commit([delete("s")], zone: "Z", as: "_carol")
            try await world.commit([move("x", under: "line")], zone: "Z")
            let gone = try await world.shared(with: "_carol", since: carol)
            #expect(gone.changes.sorted() == ["-line", "-note", "-s"])
            // Bob saw it, and the feed can no longer tell him that he lost it.
            let error = await #expect(throws: RecordError.self) {
                try await world.shared(with: "_bob", since: bob)
            }
            #expect(error?.code == .changeTokenExpired)
            #expect(try await world.shared(with: "_bob").changes.sorted() == ["t", "two"])
        }
    }

    @Test("A record that left two shares of a person is deleted once", arguments: StoreKind.allCases)
    func deletedOnce(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            try await shareTwo(world)
            let start = try await world.shared(with: "_bob").token
            try await world.commit([move("line", under: "two")], zone: "Z")
            try await world.commit([delete("t")], zone: "Z", as: "_bob")
            for size in [1, 9] {
                let page = try await world.shared(with: "_bob", since: start, page: size)
                #expect(page.changes.sorted() == ["-line", "-t", "-two"])
            }
        }
    }

    @Test(
        "A deletion names the type that the reader knew, not that of a later record of this name",
        arguments: StoreKind.allCases)
    func typeOfDeletion(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            try await world.commit([create("x", parent: "note")], zone: "Z")
            let token = try await world.shared(with: "_bob").token
            func types() async throws -> [String] {
                let page = try await world.store.sharedChanges(
                    ChangesRequest(zone: "Z", since: token, limit: 9), for: "_bob")
                return page.changes.compactMap { change in
                    if case .deleted(let id, let type, _) = change { "\(id.name): \(type)" } else { nil }
                }
            }
            try await world.commit([delete("x")], zone: "Z")
            #expect(try await types() == ["x: Party"])
            let diagnosis = RecordOperation(.create, recordName: "x", recordType: "Clown")
            try await world.commit([diagnosis], zone: "Z")
            #expect(try await types() == ["x: "])
            try await world.commit([delete("x")], zone: "Z")
            #expect(try await types() == ["x: "])
        }
    }

    @Test(
        "A participant neither changes the parent of a root nor makes a ring of parents",
        arguments: StoreKind.allCases)
    func parents(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            try await world.commit([create("word", parent: "line")], zone: "Z", as: "_bob")
            let before = try await world.state()
            func outcome(_ operation: RecordOperation) async throws -> [String] {
                try await world.commit([operation], zone: "Z", as: "_bob").map(\.brief)
            }
            #expect(try await outcome(move("note", under: "line")) == ["note: accessDenied"])
            #expect(try await outcome(move("note", under: "note")) == ["note: accessDenied"])
            #expect(try await outcome(move("line", under: "word")) == ["line: badRequest"])
            #expect(try await outcome(move("line", under: "line")) == ["line: badRequest"])
            #expect(try await world.state() == before)
            #expect(try await outcome(move("word", under: "note")) == ["word"])
        }
    }
}
