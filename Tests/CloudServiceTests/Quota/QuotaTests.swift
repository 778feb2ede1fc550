import CloudletServer
import CloudletTesting
import Crypto
import RecordStore
import Records
import RecordsWire
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("Quotas", .timeLimit(.minutes(30)))
struct QuotaTests {
    /// Public quotas of 4,000 bytes of records and 10,000 of files, or of 2,000 and 5,000 for each user
    /// if that is more, and 10,000 bytes for a person.
    private static func small(_ configuration: inout ServerConfiguration) {
        var quota = QuotaRules()
        quota.publicRecordBytes = 4000
        quota.publicAssetBytes = 10000
        quota.publicRecordBytesPerUser = 2000
        quota.publicAssetBytesPerUser = 5000
        quota.mostUsers = 5
        quota.personBytes = 10000
        quota.publicPersonPercent = 100
        configuration.limits.quota = quota
    }

    /// A record that counts exactly this many bytes.
    private static func record(_ name: String, bytes: Int) -> JSON {
        let frame = #"{"t":{"value":"","type":"STRING"}}"#.utf8.count
        let length = bytes - name.utf8.count - frame - Int(StoreUsage.bytesPerRecord)
        return create(name, ["t": text(String(repeating: "x", count: length))])
    }

    private static let refused = "QUOTA_EXCEEDED: quota exceeded"

    @Test("Public records count against the container's quota, to the byte")
    func publicRecords() async throws {
        try await serving(Self.small) { world in
            let alice = try await world.signIn("alice")
            let first = batch([Self.record("a", bytes: 2000)])
            #expect(try await world.call("public/records/modify", first, as: alice).records == ["ok"])
            let tooMuch = batch([Self.record("b", bytes: 2001)])
            #expect(
                try await world.call("public/records/modify", tooMuch, as: alice).records == [Self.refused])
            let exact = batch([Self.record("b", bytes: 2000)])
            #expect(try await world.call("public/records/modify", exact, as: alice).records == ["ok"])
            // The same quota applies to another person, and another container has its own quota.
            let bob = try await world.signIn("bob")
            let more = batch([Self.record("c", bytes: 1000)])
            #expect(try await world.call("public/records/modify", more, as: bob).records == [Self.refused])
            let other = try await world.call(
                "public/records/modify", more, as: bob, container: "iCloud.other")
            #expect(other.records == ["ok"])
            let shown = try await world.operate("GET", "containers/iCloud.test").json["development"]
            #expect(shown["publicRecordBytes"] == 4000)
            #expect(shown["publicRecordBytesLimit"] == 4000)
            // A deletion frees space.
            let gone = try await world.modify("public", [forceDelete("a")], as: alice)
            #expect(gone.records == ["ok"])
            #expect(try await world.call("public/records/modify", more, as: bob).records == ["ok"])
        }
    }

    @Test("One person may fill only a part of the public quota, and leaves the rest to others")
    func partOfOnePerson() async throws {
        let configure: @Sendable (inout ServerConfiguration) -> Void = {
            Self.small(&$0)
            $0.limits.quota?.publicPersonPercent = 50
        }
        try await serving(configure) { world in
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            func save(_ name: String, _ bytes: Int, _ person: Person) async throws -> [String] {
                let body = batch([Self.record(name, bytes: bytes)])
                return try await world.call("public/records/modify", body, as: person).records
            }
            #expect(try await save("a", 2001, alice) == [Self.refused])
            #expect(try await save("a", 2000, alice) == ["ok"])
            #expect(try await save("b", 500, alice) == [Self.refused])
            #expect(try await save("b", 2000, bob) == ["ok"])
            let gone = batch([forceDelete("a")])
            #expect(try await world.call("public/records/modify", gone, as: alice).records == ["ok"])
            #expect(try await save("c", 2000, alice) == ["ok"])
        }
        var rules = QuotaRules()
        #expect(rules.personShare(of: 100_000_000) == 10_000_000)
        rules.publicPersonPercent = 100
        #expect(rules.personShare(of: 100_000_000) == nil)
    }

    @Test("A server key may exceed one person's part of the public quota, but not the whole")
    func serverKey() async throws {
        let configure: @Sendable (inout ServerConfiguration) -> Void = {
            Self.small(&$0)
            $0.limits.quota?.publicPersonPercent = 50
        }
        try await withServer(.loopback, configure) { world in
            let pair = P256.Signing.PrivateKey()
            let key = try await world.register(pair.publicKey.pemRepresentation)
            func save(_ name: String, _ bytes: Int) async throws -> [String] {
                let body = batch([Self.record(name, bytes: bytes)])
                return try await world.call("public/records/modify", body, key, pair).records
            }
            #expect(try await save("a", 3000) == ["ok"])
            #expect(try await save("b", 1001) == [Self.refused])
            #expect(try await save("b", 1000) == ["ok"])
        }
    }

    @Test("The public quota grows with the number of the container's users")
    func users() async throws {
        try await serving(Self.small) { world in
            let alice = try await world.signIn("alice")
            let full = batch([Self.record("a", bytes: 4000)])
            #expect(try await world.call("public/records/modify", full, as: alice).records == ["ok"])
            let more = batch([Self.record("b", bytes: 2000)])
            #expect(try await world.call("public/records/modify", more, as: alice).records == [Self.refused])
            for name in ["bob", "carol"] { _ = try await world.signIn(name) }
            // The number of users is cached for a minute.
            world.clock.advance(bySeconds: 61)
            #expect(try await world.call("public/records/modify", more, as: alice).records == ["ok"])
        }
        let rules = QuotaRules()
        #expect(rules.publicBytes(users: 0) == (10_000_000_000, 100_000_000))
        #expect(rules.publicBytes(users: 10_000_000) == (1_000_000_000_000_000, 10_000_000_000_000))
        #expect(rules.publicBytes(users: .max) == rules.publicBytes(users: 10_000_000))
    }

    @Test("Files count against public and private quotas, both when uploaded and when saved")
    func files() async throws {
        try await serving(Self.small) { world in
            let alice = try await world.signIn("alice")
            for database in ["public", "private"] {
                let small = try await world.upload(
                    Array(repeating: 1, count: 4000), record: "p1", database: database, as: alice)
                let save = try await world.modify("\(database)", [world.photo("p1", small)], as: alice)
                #expect(save.records == ["ok"])
                let address = try await world.uploadAddress(record: "p2", database: database, as: alice)
                let large = try await world.send("POST", address, body: Array(repeating: 2, count: 7000))
                #expect(large.failure == "413 \(Self.refused)")
                // Each record fits alone, but not both: a file counts for each record that refers to it.
                let second = try await world.upload(
                    Array(repeating: 3, count: 3500), record: "p2", database: database, as: alice)
                let both = try await world.modify(
                    "\(database)", [world.photo("p2", second), world.photo("p3", second)], as: alice)
                #expect(both.records == ["ok", Self.refused])
                let unsaved = try await world.lookup("\(database)", "p3", as: alice)
                #expect(unsaved.records == ["NOT_FOUND: Record not found"])
            }
        }
    }

    @Test("A person's private databases count together, in all containers and environments")
    func person() async throws {
        try await serving(Self.small) { world in
            let alice = try await world.signIn("alice")
            func save(
                _ name: String, _ bytes: Int, _ container: String, _ environment: String
            ) async throws
                -> [String]
            {
                let body = batch([Self.record(name, bytes: bytes)])
                return try await world.call(
                    "private/records/modify", body, as: alice, container: container, environment: environment
                ).records
            }
            #expect(try await save("a", 4000, "iCloud.test", "development") == ["ok"])
            #expect(try await save("a", 4000, "iCloud.other", "development") == ["ok"])
            #expect(try await save("b", 2001, "iCloud.test", "development") == [Self.refused])
            #expect(try await save("b", 2000, "iCloud.test", "development") == ["ok"])
            #expect(try await save("b", 1000, "iCloud.other", "development") == [Self.refused])
            let shown = try await world.operate("GET", "people/alice").json
            #expect(shown["privateBytes"] == 10000)
            #expect(shown["privateBytesLimit"] == 10000)
            // Other people's quotas are not affected.
            let bob = try await world.signIn("bob")
            let own = try await world.modify("private", [Self.record("a", bytes: 10000)], as: bob)
            #expect(own.records == ["ok"])
            // Deleting a container frees its space.
            _ = try await world.operate("POST", "containers/iCloud.other/delete")
            #expect(try await save("c", 4000, "iCloud.test", "development") == ["ok"])
        }
    }

    @Test("A person's own quota applies at once instead of the general one, until it is removed")
    func ownQuota() async throws {
        try await serving(Self.small) { world in
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            func save(_ name: String, _ bytes: Int, _ person: Person) async throws -> [String] {
                let body = batch([Self.record(name, bytes: bytes)])
                return try await world.call("private/records/modify", body, as: person).records
            }
            #expect(try await save("a", 10000, alice) == ["ok"])
            #expect(try await save("b", 5000, alice) == [Self.refused])
            let more = try await world.operate("POST", "people/alice/quota", ["quotaBytes": 15000])
            #expect(more.json["quotaBytes"] == 15000)
            #expect(try await save("b", 5000, alice) == ["ok"])
            #expect(try await save("c", 1000, alice) == [Self.refused])
            #expect(try await save("a", 10001, bob) == [Self.refused])
            let shown = try await world.operate("GET", "people/alice").json
            #expect(shown["privateBytesLimit"] == 15000)
            let negative = try await world.operate("POST", "people/bob/quota", ["quotaBytes": .integer(-1)])
            #expect(negative.status == 400)
            let back = try await world.operate("POST", "people/alice/quota", [:])
            #expect(back.status == 200)
            #expect(!back.text.contains("quotaBytes"))
            let usual = try await world.operate("GET", "people/alice").json
            #expect(usual["privateBytesLimit"] == 10000)
            #expect(try await save("c", 1000, alice) == [Self.refused])
        }
    }

    @Test("Answers warn from 80 % of the quota on, and the quotas are published")
    func warning() async throws {
        try await serving(Self.small) { world in
            let alice = try await world.signIn("alice")
            func save(_ name: String, _ bytes: Int) async throws -> String? {
                let body = batch([Self.record(name, bytes: bytes)])
                let reply = try await world.call("private/records/modify", body, as: alice)
                #expect(reply.records == ["ok"])
                return reply.headers["X-Cloudlet-Quota"]
            }
            #expect(try await save("a", 7990) == nil)
            #expect(try await save("b", 510) == "\"private\";percent=85")
            #expect(try await save("c", 1500) == "\"private\";percent=100")
            let gone = try await world.modify("private", [forceDelete("a")], as: alice)
            #expect(gone.headers["X-Cloudlet-Quota"] == nil)
            let rules = try await world.send("GET", "/limits").json["quota"]
            #expect(rules["personBytes"] == 10000)
            #expect(rules["publicRecordBytesPerUser"] == 2000)
        }
    }

    @Test("A warning step is new when it is reached, and again after the database had room")
    func steps() {
        var book = QuotaUsage()
        let key = DatabaseKey(container: "c", environment: .development, owner: nil)
        let news = [0.5, 0.8, 0.85, 0.9, 0.99, 0.99, 1.0, 1.0, 0.7, 0.81].map { book.reachesNewStep($0, key) }
        #expect(news == [false, true, false, true, true, false, true, false, false, true])
    }
}
