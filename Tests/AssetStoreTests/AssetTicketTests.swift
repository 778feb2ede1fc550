import AssetStore
import Records
import Testing

@testable import TestKit

@Suite("Asset tickets")
struct AssetTicketTests {
    private static let now = AssetWorld.now
    private static let expires = now.advanced(bySeconds: 900)
    private let signer = TicketSigner(secret: Array(1...32))

    private let receipt = UploadReceipt(
        database: "public",
        recordType: "Party",
        fieldName: "photo",
        upload: ReceivedUpload(uploadID: "upload-1", fileChecksum: AssetStoreTests.abc, size: 3),
        expires: expires
    )
    private let upload = UploadTicket(
        number: 7,
        person: "_alice",
        session: 5,
        database: "public",
        recordName: "Käse/../?#",
        recordType: "Party",
        fieldName: "photo",
        expires: expires
    )
    private let download = DownloadTicket(
        database: "public",
        fileChecksum: AssetStoreTests.abc,
        expires: expires
    )

    @Test("A signed token is decoded unchanged, and is safe in a URL")
    func roundTrip() throws {
        #expect(try signer.verify(signer.sign(receipt), now: Self.now) == receipt)
        #expect(try signer.verify(signer.sign(upload), now: Self.now) == upload)
        #expect(try signer.verify(signer.sign(download), now: Self.now) == download)
        let texts = [signer.sign(receipt), signer.sign(upload), signer.sign(download)]
        let safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
        #expect(Set(texts.joined()).isSubset(of: Set(safe)))
    }

    @Test("A token is valid at every node of the installation")
    func nodes() throws {
        let node = TicketSigner(secret: Array(1...32))
        #expect(try node.verify(signer.sign(receipt), now: Self.now) == receipt)
        #expect(try node.verify(signer.sign(upload), now: Self.now) == upload)
        #expect(try node.verify(signer.sign(download), now: Self.now) == download)
    }

    @Test("The estimated length of a download URL is never too low, even with long names")
    func lengthOfDownloads() {
        let long = String(repeating: "n", count: 255)
        let person = "_" + String(repeating: "a", count: 32)
        func bytes(guest: String, zone: String, container: String) -> Int {
            let ticket = DownloadTicket(
                database: "\(container)/production/\(person)",
                fileChecksum: String(repeating: "c", count: 28), session: .max, guest: guest,
                zone: zone, expires: Self.expires)
            return "https://cloudlet.example.com/assets/\(signer.sign(ticket))".utf8.count
        }
        let shared = bytes(guest: person, zone: long, container: long)
        #expect(shared <= AssetAddress.shared.bytes(of: 100) / 100)
        #expect(shared > AssetAddress.plain.bytes(of: 100) / 100)
        let usual = bytes(guest: "", zone: "", container: "iCloud.com.example.parties")
        #expect(usual <= AssetAddress.plain.bytes(of: 100) / 100)
    }

    @Test("A token is valid until the last millisecond before it expires")
    func expiry() throws {
        let text = signer.sign(receipt)
        let last = Timestamp(milliseconds: Self.expires.milliseconds - 1)
        #expect(try signer.verify(text, now: last) == receipt)
        #expect(throws: UploadReceipt.refusal) {
            try signer.verify(text, as: UploadReceipt.self, now: Self.expires)
        }
    }

    @Test("Tokens with a flipped bit are refused, in 1,000 tries for each kind")
    func flippedBits() {
        var numbers = SeededNumbers(seed: 2)
        for _ in 0..<1000 {
            expectRefusal(receipt, flippedBy: &numbers)
            expectRefusal(upload, flippedBy: &numbers)
            expectRefusal(download, flippedBy: &numbers)
        }
    }

    @Test("Shortened and lengthened tokens are refused")
    func lengths() {
        let text = signer.sign(receipt)
        for length in 0..<text.count {
            #expect(throws: RecordError.self) {
                try signer.verify(String(text.prefix(length)), as: UploadReceipt.self, now: Self.now)
            }
        }
        for extra in ["A", "=", "==", "AAAA", " "] {
            #expect(throws: RecordError.self) {
                try signer.verify(text + extra, as: UploadReceipt.self, now: Self.now)
            }
        }
    }

    @Test("A token of another kind or another process is refused")
    func kinds() {
        let text = signer.sign(upload)
        let now = Self.now
        #expect(throws: UploadReceipt.refusal) { try signer.verify(text, as: UploadReceipt.self, now: now) }
        #expect(throws: DownloadTicket.refusal) { try signer.verify(text, as: DownloadTicket.self, now: now) }
        let stranger = TicketSigner(secret: Array(2...33))
        #expect(throws: UploadTicket.refusal) { try stranger.verify(text, as: UploadTicket.self, now: now) }
    }

    /// An upload ticket in the layout of an earlier release, which did not name the session.
    private struct EarlierTicket: SignedToken {
        static let kind = UploadTicket.kind
        static let refusal = UploadTicket.refusal
        let ticket: UploadTicket

        var expires: Timestamp { ticket.expires }

        init(_ ticket: UploadTicket) { self.ticket = ticket }

        init(from reader: inout TokenReader, expires: Timestamp) throws { throw Self.refusal }

        func write(to writer: inout TokenWriter) {
            writer.write(ticket.number)
            let texts = [
                ticket.person, ticket.key, ticket.database, ticket.recordName, ticket.recordType,
                ticket.fieldName, ticket.zone,
            ]
            for text in texts { writer.write(text) }
        }
    }

    @Test("An upload ticket that names no session, of an earlier release, is refused")
    func earlierRelease() {
        for database in ["public", "a/development/", "iCloud.com.example.parties/production/_alice"] {
            var ticket = upload
            ticket.database = database
            let text = signer.sign(EarlierTicket(ticket))
            #expect(throws: UploadTicket.refusal) {
                try signer.verify(text, as: UploadTicket.self, now: Self.now)
            }
        }
    }

    @Test("A receipt is valid for its database, type, field and file only")
    func receiptCheck() throws {
        let asset = Asset(fileChecksum: AssetStoreTests.abc, size: 3)
        let larger = Asset(fileChecksum: AssetStoreTests.abc, size: 4)
        let other = Asset(fileChecksum: "AeOwxEKY/BwUmvv0yJlvuSQnrkHk", size: 3)
        try receipt.check(database: "public", recordType: "Party", fieldName: "photo", asset: asset)
        let wrong: [(String, String, String, Asset)] = [
            ("private", "Party", "photo", asset), ("public", "Clown", "photo", asset),
            ("public", "Party", "poster", asset), ("public", "Party", "photo", larger),
            ("public", "Party", "photo", other),
        ]
        for (database, type, field, asset) in wrong {
            let error = #expect(throws: RecordError.self) {
                try receipt.check(database: database, recordType: type, fieldName: field, asset: asset)
            }
            #expect(error?.code == .assetRejected)
        }
    }

    private func expectRefusal<Token: SignedToken>(_ token: Token, flippedBy numbers: inout SeededNumbers) {
        var bytes = Array(signer.sign(token).utf8)
        let place = Int.random(in: 0..<bytes.count, using: &numbers)
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(throws: Token.refusal) { try signer.verify(text, as: Token.self, now: Self.now) }
    }
}
