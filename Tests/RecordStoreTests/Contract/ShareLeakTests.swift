import RecordStore
import Records
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
            let line = RecordOperation(.forceUpdate, recordName: "line", recordType: "Party")
            let root = try await world.fetch("note", zone: "Z")
            try await world.commit([line], zone: "Z", as: "_bob")
            #expect(try await world.fetch("note", zone: "Z")?.changeTag != root?.changeTag)
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
