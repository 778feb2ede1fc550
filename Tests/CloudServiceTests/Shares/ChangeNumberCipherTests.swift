import CloudletServer
import Crypto
import Foundation
import RecordStore
import Records
import RecordsWire
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("Hiding the numbers of changes from guests", .timeLimit(.minutes(30)))
struct ChangeNumberCipherTests {
    private static let conflict = "CONFLICT: client oplock error updating record"

    private static func cipher(_ owner: String, key: UInt8 = 1) -> ChangeNumberCipher {
        ChangeNumberCipher(
            key: SymmetricKey(data: [UInt8](repeating: key, count: 32)),
            database: DatabaseKey(container: "iCloud.test", environment: .development, owner: owner))
    }

    @Test("A number is hidden and restored, has at most 62 bits, and differs for each database and key")
    func numbers() {
        let cipher = Self.cipher("_alice")
        let numbers = Array(0..<2000) + [1 << 31, 1 << 61, (1 << 62) - 1] as [Int64]
        let encrypted = numbers.map { cipher.encrypted($0) }
        #expect(Set(encrypted).count == numbers.count)
        #expect(encrypted.allSatisfy { (0..<(1 << 62)).contains($0) })
        #expect(encrypted.map { cipher.decrypted($0) } == numbers)
        // Successive numbers are far apart after hiding.
        let gaps = zip(encrypted.dropFirst(), encrypted).prefix(1999).map { ($0 - $1).magnitude }
        #expect(gaps.count { $0 > 1 << 32 } == gaps.count)
        for other in [Self.cipher("_bob"), Self.cipher("_alice", key: 2)] {
            #expect(numbers.allSatisfy { other.encrypted($0) != cipher.encrypted($0) })
        }
        for number in [-1, 1 << 62, .max, .min] as [Int64] { #expect(cipher.encrypted(number) == number) }
    }

    @Test("A tag of another form stays unchanged")
    func tags() {
        let cipher = Self.cipher("_alice")
        let tag = ChangeTag(sequence: 1234)
        #expect(cipher.decrypted(ChangeTag(sequence: cipher.encrypted(1234))) == tag)
        for text in ["", "-", "ÄÖ", "0z", "+5", "Z", "zzzzzzzzzzzzzzzzzzzz"] {
            #expect(cipher.decrypted(ChangeTag(text: text)).text == text)
        }
    }

    @Test("The hidden identifier of a notification is a UUID, and is found again")
    func identifiers() {
        let cipher = Self.cipher("_alice")
        let ids = (0..<500).map { PushID.text(database: 0x0123_4567_89ab_cdef, number: $0) }
        let encrypted = ids.map { cipher.encrypted($0) }
        #expect(Set(encrypted + ids).count == 1000)
        #expect(encrypted.allSatisfy { UUID(uuidString: $0) != nil })
        #expect(encrypted.map { cipher.decrypted($0) } == ids)
        // Neither half is that of the database or of the number.
        #expect(Set(encrypted.map { $0.prefix(18) }).count == 500)
        #expect(cipher.encrypted("no UUID") == "no UUID")
    }

    /// The change tag of the first record in an answer.
    private func tag(_ reply: Reply) throws -> String {
        try #require(reply.json["records"][0]["recordChangeTag"].text, "\(reply.text)")
    }

    private func update(_ title: String, _ tag: String) -> JSON {
        [
            "operationType": "update",
            "record": [
                "recordName": "note", "recordType": "Note", "fields": ["title": text(title)],
                "recordChangeTag": .string(tag),
            ],
        ]
    }

    @Test("A guest gets encrypted tags, which all calls of the shared database return and accept")
    func sharedTags() async throws {
        try await serving { world in
            let story = try await SharingStory.begin(world)
            let accepted = try await story.link("accept", as: story.bob)
            let looked = try await story.shared(
                "records/lookup", ["records": [["recordName": "note"]]], as: story.bob)
            let own = try await world.lookup("private", "note", zone: "Notes", as: story.alice)
            let before = try tag(looked)
            #expect(accepted["rootRecord"]["recordChangeTag"].text == before)
            #expect(try tag(own) != before)
            // A tag of the owner is not valid for the guest.
            let foreign = try await story.save([update("x", try tag(own))], as: story.bob)
            #expect(foreign.records == [Self.conflict])
            let saved = try await story.save([update("Alps 2", before)], as: story.bob)
            #expect(saved.records == ["ok"], "\(saved.text)")
            let after = try tag(saved)
            #expect(try await story.save([update("x", before)], as: story.bob).records == [Self.conflict])
            let query: [String: JSON] = ["query": ["recordType": "Note"]]
            #expect(try tag(try await story.shared("records/query", query, as: story.bob)) == after)
            let feed = try await story.shared("records/changes", [:], as: story.bob)
            let inFeed = feed.json["records"].elements.first { $0["recordName"] == "note" }
            #expect(inFeed?["recordChangeTag"].text == after)
            let present = try await world.lookup("private", "note", zone: "Notes", as: story.alice)
            let owners = try await world.modify(
                "private", [update("Alps 3", try tag(present))], zone: "Notes", as: story.alice)
            #expect(owners.records == ["ok"])
        }
    }

    @Test("Tokens of shared feeds hide their numbers and are valid for one person; old ones stay valid")
    func tokens() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            _ = try await story.link("accept", as: story.bob)
            let feed = try await story.shared("records/changes", [:], as: story.bob)
            let text = try #require(feed.json["syncToken"].text)
            let token = ChangeToken(bytes: [UInt8](try #require(Data(base64Encoded: text))))
            let seal = world.service.records.seal
            let sealed = try #require(try seal.revealed(token, to: story.bob.recordName, culprit: "Notes"))
            #expect(sealed != token)
            let position = try FeedPosition(try #require(try seal.opened(sealed, culprit: "Notes")))
            func bigEndian(_ number: Int64) -> [UInt8] {
                withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) }
            }
            for number in [position.database, position.sequence] {
                #expect(!Data(token.bytes).contains(bigEndian(number)))
            }
            func next(_ token: ChangeToken, _ person: Person) async throws -> Int {
                let text = JSON.string(Data(token.bytes).base64EncodedString())
                return try await story.shared("records/changes", ["syncToken": text], as: person).status
            }
            #expect(try await next(token, story.bob) == 200)
            // A token as an earlier version made it.
            #expect(try await next(sealed, story.bob) == 200)
            let open = operation(
                "forceUpdate", "s", type: "cloudkit.share", [:], ["publicPermission": "READ_ONLY"])
            try await world.modify("private", [open], zone: "Notes", as: story.alice)
            _ = try await story.link("accept", as: story.carol)
            #expect(try await next(token, story.carol) == 400)
        }
    }
}
