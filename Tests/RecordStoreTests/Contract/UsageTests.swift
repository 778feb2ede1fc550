import RecordStore
import Records
import RecordsWire
import Testing

@Suite("Contract: usage")
struct UsageTests {
    /// A field with a file of `size` bytes.
    private func file(_ checksum: String, _ size: Int64) -> Field {
        Field(.asset(Asset(fileChecksum: checksum, size: size)))
    }

    /// The space that records with these names and fields use.
    private func bytes(_ records: [(name: String, fields: Fields)]) -> Int64 {
        records.reduce(0) {
            $0 + Int64($1.name.utf8.count + FieldJSON().encode($1.fields).bytes.count)
                + StoreUsage.bytesPerRecord
        }
    }

    @Test(
        """
        Usage counts record names and fields, a price for each record and each person that a share names, \
        and files, each once for each record that refers to it
        """,
        arguments: StoreKind.allCases)
    func counted(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            #expect(try await world.store.usage() == StoreUsage())
            let fields: Fields = ["one": file("A", 100), "two": file("A", 100), "n": number(1)]
            let a = try await world.create("a", fields)
            try await world.create("bé", ["one": file("A", 100)])
            var expected = StoreUsage(
                records: 2, recordBytes: bytes([("a", fields), ("bé", ["one": file("A", 100)])]),
                assetBytes: 200)
            #expect(try await world.store.usage() == expected)
            let later: Fields = ["two": file("A", 100), "n": number(123)]
            try await world.save(update(a, ["n": number(123)], removing: ["one"]))
            expected.recordBytes += bytes([("a", later)]) - bytes([("a", fields)])
            #expect(try await world.store.usage() == expected)
            // A batch that is rolled back does not count.
            _ = try await world.commit([create("c", ["x": number(9)]), create("a")], atomic: true)
            #expect(try await world.store.usage() == expected)
            try await world.commit([delete("a")])
            expected = StoreUsage(
                records: 1, recordBytes: bytes([("bé", ["one": file("A", 100)])]), assetBytes: 100)
            #expect(try await world.store.usage() == expected)
            try await world.commit([delete("bé")])
            #expect(try await world.store.usage() == StoreUsage())
        }
    }

    @Test(
        "Each zone has its own usage, and a zone that does not exist has none",
        arguments: StoreKind.allCases)
    func eachZone(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            _ = try await world.store.createZone(named: "Notes")
            try await world.commit([create("a", ["one": file("A", 100)])])
            try await world.commit([create("b", ["one": file("B", 7)]), create("c")], zone: "Notes")
            let names = [ZoneID.defaultName, "Notes", "None"]
            let usages = try await world.store.usage(ofZones: names)
            #expect(Set(usages.keys) == [ZoneID.defaultName, "Notes"])
            #expect(usages["Notes"]?.assetBytes == 7)
            let first = StoreUsage(
                records: 1, recordBytes: bytes([("a", ["one": file("A", 100)])]), assetBytes: 100)
            #expect(usages[ZoneID.defaultName] == first)
            let all = try await world.store.usage()
            #expect(usages.values.reduce(StoreUsage()) { $0 + $1 } == all)
        }
    }

    @Test("Usage is correct after a cascade that succeeds or is refused", arguments: StoreKind.allCases)
    func cascade(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.commit([
                create("root", ["f": file("A", 10)]),
                create("leaf", ["f": file("B", 20), "to": link("root", .deleteSelf)]),
                create("holder", ["to": link("leaf", .validate)]),
            ])
            let full = try await world.store.usage()
            #expect(full.assetBytes == 30)
            #expect(try await world.outcome([delete("root")]) == ["root: validatingReference"])
            #expect(try await world.store.usage() == full)
            try await world.commit([delete("holder"), delete("root")])
            #expect(try await world.store.usage() == StoreUsage())
        }
    }

    @Test(
        "A quota refuses each operation that would exceed it, and never one that frees space",
        arguments: StoreKind.allCases)
    func quota(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let size = bytes([("a", ["f": file("A", 10)])])
            for (quota, files) in [
                (StoreQuota(recordBytes: 2 * size), Int64(10)), (StoreQuota(assetBytes: 20), 10),
                (StoreQuota(totalBytes: 2 * size + 20), 10),
            ] {
                let field = ["f": file("A", files)] as Fields
                let three = ["a", "b", "c"].map { create($0, field) }
                let results = try await world.commit(three, quota: quota)
                #expect(results.map(\.brief) == ["a", "b", "c: quotaExceeded"])
                guard case .failure(_, let error) = results[2] else { return }
                #expect(error.culprit == "c")
                // Above its quota, a database still accepts operations that free space.
                let a = try #require(try await world.store.records(named: ["a"], in: "_defaultZone")[0])
                let less = StoreQuota(recordBytes: 1, assetBytes: 1, totalBytes: 1)
                let smaller = try await world.commit([update(a, [:], removing: ["f"])], quota: less)
                #expect(smaller.map(\.brief) == ["a"])
                let gone = try await world.commit([delete("a"), delete("b")], quota: less)
                #expect(gone.map(\.brief) == ["-a", "-b"])
            }
        }
    }

    @Test(
        "The usage of a person counts the records that the person created, whoever changed them",
        arguments: StoreKind.allCases)
    func people(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            #expect(try await world.store.usage(of: "_alice") == StoreUsage())
            _ = try await world.store.createZone(named: "Notes")
            let fields: Fields = ["f": file("A", 10)]
            let a = try await world.create("a", fields, by: "_alice")
            try await world.create("n", fields, zone: "Notes", by: "_alice")
            try await world.create("b", fields, by: "_bob")
            var alice = StoreUsage(
                records: 2, recordBytes: bytes([("a", fields), ("n", fields)]), assetBytes: 20)
            let bob = StoreUsage(records: 1, recordBytes: bytes([("b", fields)]), assetBytes: 10)
            #expect(try await world.store.usage(of: "_alice") == alice)
            #expect(try await world.store.usage(of: "_bob") == bob)
            try await world.save(update(a, ["n": number(7)]), by: "_bob")
            let later: Fields = ["f": file("A", 10), "n": number(7)]
            alice.recordBytes += bytes([("a", later)]) - bytes([("a", fields)])
            #expect(try await world.store.usage(of: "_alice") == alice)
            #expect(try await world.store.usage(of: "_bob") == bob)
            // A batch that is rolled back does not count.
            _ = try await world.commit([create("c", ["x": number(9)]), create("a")], atomic: true)
            #expect(try await world.store.usage(of: "_alice") == alice)
            try await world.commit([forceDelete("a")], by: "_bob")
            try await world.store.deleteZone(named: "Notes")
            #expect(try await world.store.usage(of: "_alice") == StoreUsage())
            #expect(try await world.store.usage(of: "_bob") == bob)
        }
    }

    @Test(
        """
        The people whose records take up most of a zone are listed first, in pages, with the number of their \
        records
        """,
        arguments: StoreKind.allCases)
    func creators(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let zone = ZoneID.defaultName
            _ = try await world.store.createZone(named: "Notes")
            try await world.create("other", ["f": file("A", 900)], zone: "Notes", by: "_carol")
            try await world.create("a", ["f": file("A", 50)], by: "_alice")
            for name in ["b1", "b2"] { try await world.create(name, ["f": file("B", 90)], by: "_bob") }
            for (name, person) in [("c1", "_carol"), ("d1", "_dave")] {
                try await world.create(name, by: person)
            }
            func list(after last: CreatorUsage? = nil, limit: Int = 9) async throws -> [CreatorUsage] {
                try await world.store.creators(in: zone, after: last, limit: limit)
            }
            let all = try await list()
            #expect(all.map(\.person) == ["_bob", "_alice", "_carol", "_dave"])
            #expect(all.map(\.usage.records) == [2, 1, 1, 1])
            #expect(all.map(\.usage.assetBytes) == [180, 50, 0, 0])
            #expect(all[2].usage.total == all[3].usage.total)
            var pages: [CreatorUsage] = []
            while let page = try await list(after: pages.last, limit: 1).first { pages.append(page) }
            #expect(pages == all)
            #expect(try await list(after: all[1], limit: 2).map(\.person) == ["_carol", "_dave"])
            try await world.commit([forceDelete("b1"), forceDelete("c1")])
            #expect(try await list().map(\.person) == ["_bob", "_alice", "_dave"])
            #expect(try await list().map(\.usage.records) == [1, 1, 1])
            #expect(try await world.store.creators(in: "None", after: nil, limit: 9).isEmpty)
        }
    }

    @Test(
        """
        A quota for each person refuses a save for which the creator of the record has no room, and does \
        not limit other people
        """,
        arguments: StoreKind.allCases)
    func quotaOfPeople(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let fields: Fields = ["f": file("A", 10)]
            let size = bytes([("a", fields)])
            for quota in [StoreQuota(personRecordBytes: 2 * size), StoreQuota(personAssetBytes: 20)] {
                let three = ["a", "b", "c"].map { create($0, fields) }
                let results = try await world.commit(three, by: "_alice", quota: quota)
                #expect(results.map(\.brief) == ["a", "b", "c: quotaExceeded"])
                let other = try await world.commit([create("c", fields)], by: "_bob", quota: quota)
                #expect(other.map(\.brief) == ["c"])
                let more = RecordOperation(
                    .forceUpdate, recordName: "a", recordType: "Party", fields: ["g": file("B", 10)])
                let full = try await world.commit([more], by: "_bob", quota: quota)
                #expect(full.map(\.brief) == ["a: quotaExceeded"])
                let less = StoreQuota(personRecordBytes: 1, personAssetBytes: 1)
                let gone = try await world.commit([delete("a"), delete("b"), delete("c")], quota: less)
                #expect(gone.map(\.brief) == ["-a", "-b", "-c"])
            }
        }
    }

    @Test("A quota is exact: it admits a save that reaches the limit, and refuses one byte more")
    func exact() {
        let quota = StoreQuota(recordBytes: 10, assetBytes: 20, totalBytes: 25)
        let empty = StoreUsage()
        #expect(quota.admits(StoreUsage(recordBytes: 10, assetBytes: 15), after: empty))
        #expect(!quota.admits(StoreUsage(recordBytes: 11), after: empty))
        #expect(quota.admits(StoreUsage(assetBytes: 20), after: empty))
        #expect(!quota.admits(StoreUsage(assetBytes: 21), after: empty))
        #expect(!quota.admits(StoreUsage(recordBytes: 10, assetBytes: 16), after: empty))
        #expect(quota.admits(StoreUsage(recordBytes: -1, assetBytes: 1), after: StoreUsage(recordBytes: 25)))
        #expect(quota.fullness(at: StoreUsage(recordBytes: 5, assetBytes: 5)) == 0.5)
        #expect(StoreQuota().fullness(at: StoreUsage(recordBytes: 5)) == 0)
    }

    @Test(
        "A file that a record already has keeps its size, whatever size an operation states",
        arguments: StoreKind.allCases)
    func sizes(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let list = Field(.list(.asset, [file("A", 100).value, file("B", 50).value]))
            let a = try await world.create("a", ["one": file("A", 100), "many": list])
            let lie = Field(.list(.asset, [file("B", 0).value, file("A", 0).value]))
            let b = try await world.save(update(a, ["one": file("A", 1), "many": lie]))
            #expect(try await world.store.usage().assetBytes == 150)
            let after = try #require(try await world.fetch("a")).fields
            #expect(after["one"] == file("A", 100))
            #expect(after["many"]?.value.elements == [file("B", 50).value, file("A", 100).value])
            try await world.save(update(b, ["two": file("B", 2)], kind: .replace))
            #expect(try await world.store.usage().assetBytes == 50)
        }
    }

    @Test("Deleting a zone subtracts the usage of all its records", arguments: StoreKind.allCases)
    func zones(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            _ = try await world.store.createZone(named: "Notes")
            try await world.create("a", ["f": file("A", 7)])
            let before = try await world.store.usage()
            try await world.create("n", ["f": file("A", 7)], zone: "Notes")
            try await world.create("m", zone: "Notes")
            #expect(try await world.store.usage().assetBytes == 14)
            try await world.store.deleteZone(named: "Notes")
            #expect(try await world.store.usage() == before)
            _ = try await world.store.createZone(named: "Notes")
            try await world.create("n", ["f": file("A", 7)], zone: "Notes")
            try await world.store.deleteZone(
                named: ZoneID.defaultName, reason: .purged, at: Timestamp(milliseconds: 0))
            #expect(try await world.store.usage().assetBytes == 7)
        }
    }
}
