import RecordStore
import Records
import Testing

@Suite("Contract: files")
struct AssetTests {
    private func used(_ world: World, _ files: String...) async throws -> String {
        var found = ""
        for file in files where try await world.store.usesAsset(file) { found += file }
        return found
    }

    @Test(
        """
        Files that no record refers to any more are listed as released until the caller reports that they \
        are collected
        """,
        arguments: StoreKind.allCases)
    func released(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let a = try await world.create(
                "a", ["one": file("A"), "many": Field(.list(.asset, [file("B").value, file("A").value]))])
            try await world.create("b", ["one": file("B")])
            #expect(try await used(world, "A", "B", "C") == "AB")
            #expect(try await world.store.releasedAssets(limit: 9) == [])
            let changed = try await world.save(update(a, ["one": file("C")], removing: ["many"]))
            #expect(try await used(world, "A", "B", "C") == "BC")
            #expect(try await world.store.releasedAssets(limit: 9) == ["A"])
            try await world.commit([delete("b"), delete("a", tag: changed.changeTag)])
            #expect(try await used(world, "A", "B", "C") == "")
            #expect(try await world.store.releasedAssets(limit: 2) == ["A", "B"])
            let files = ["A", "C", "unknown"]
            try await world.store.forgetReleasedAssets(files, thatAreOwned: true)
            #expect(try await world.store.releasedAssets(limit: 9) == ["A", "B", "C"])
            try await world.store.forgetReleasedAssets(files, thatAreOwned: false)
            #expect(try await world.store.releasedAssets(limit: 9) == ["B"])
            try await world.create("again", ["one": file("B")])
            try await world.store.forgetReleasedAssets(["B"], thatAreOwned: false)
            try await world.commit([delete("again")])
            #expect(try await world.store.releasedAssets(limit: 9) == ["B"])
            try await world.create("again", ["one": file("B")])
            try await world.store.forgetReleasedAssets(["B"], thatAreOwned: true)
            #expect(try await world.store.releasedAssets(limit: 9) == [])
        }
    }

    @Test("An update that keeps a file does not release it", arguments: StoreKind.allCases)
    func kept(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let a = try await world.create("a", ["one": file("A"), "two": file("A")])
            let b = try await world.save(update(a, ["n": number(1)]))
            let c = try await world.save(update(b, removing: ["two"]))
            try await world.save(update(c, ["other": file("A")], kind: .replace))
            #expect(try await used(world, "A") == "A")
            #expect(try await world.store.releasedAssets(limit: 9) == [])
        }
    }

    @Test("A cascade releases the files of all records that it deletes", arguments: StoreKind.allCases)
    func cascade(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.commit([
                create("root", ["f": file("A")]),
                create("leaf", ["f": file("B"), "to": link("root", .deleteSelf)]),
                create("other", ["f": file("A")]),
            ])
            try await world.commit([delete("root")])
            #expect(try await world.store.releasedAssets(limit: 9) == ["B"])
        }
    }

    @Test(
        "Deleting a zone releases the files that only its records referred to", arguments: StoreKind.allCases)
    func zone(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            _ = try await world.store.createZone(named: "Z")
            try await world.create("a", ["f": file("B")])
            try await world.create("a", ["f": file("A"), "g": file("B")], zone: "Z")
            for index in 0..<300 { try await world.create("r\(index)", ["f": file("C\(index)")], zone: "Z") }
            try await world.store.deleteZone(named: "Z")
            #expect(try await used(world, "A", "B", "C0", "C299") == "B")
            let released = try await world.store.releasedAssets(limit: 999)
            #expect(released == ["A"] + (0..<300).map { "C\($0)" }.sorted())
        }
    }

    @Test(
        "The files of a person are those that records created by the person refer to, and no others",
        arguments: StoreKind.allCases)
    func persons(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            func has(_ person: String) async throws -> String {
                let found = try await world.store.assets(of: ["A", "B", "C"], createdBy: person)
                return found.sorted().joined()
            }
            let a = try await world.create("a", ["f": file("A")], by: "_alice")
            let b = try await world.create("b", ["f": file("A"), "g": file("B")], by: "_bob")
            #expect(try await [has("_alice"), has("_bob"), has("_carol")] == ["A", "AB", ""])
            #expect(try await world.store.assets(of: ["B", "C"], createdBy: "_bob") == ["B"])
            #expect(try await world.store.assets(of: [], createdBy: "_bob") == [])
            let changed = try await world.save(update(a, ["f": file("C")]), by: "_bob")
            #expect(try await [has("_alice"), has("_bob")] == ["C", "AB"])
            try await world.commit([delete("b", tag: b.changeTag), delete("a", tag: changed.changeTag)])
            #expect(try await [has("_alice"), has("_bob")] == ["", ""])
        }
    }

    @Test("The files of named records of a zone are found by their checksums", arguments: StoreKind.allCases)
    func records(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            _ = try await world.store.createZone(named: "Z")
            let a = try await world.create("a", ["f": file("A"), "g": file("B")], zone: "Z")
            try await world.create("b", ["f": file("C")], zone: "Z")
            try await world.create("a", ["f": file("C")])
            let asked: [String: Set<String>] = ["a": ["A", "C", "D"], "b": ["A", "C"], "none": ["A"]]
            func owned(_ zone: String) async throws -> [String: Set<String>] {
                try await world.store.assets(of: asked, inZone: zone)
            }
            #expect(try await owned("Z") == ["a": ["A"], "b": ["C"]])
            #expect(try await owned(ZoneID.defaultName) == ["a": ["C"]])
            #expect(try await world.store.assets(of: [:], inZone: "Z") == [:])
            try await world.commit([delete("a", tag: a.changeTag)], zone: "Z")
            #expect(try await owned("Z") == ["b": ["C"]])
        }
    }
}
