import AssetStore
import Records
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("The ledger of uploads")
struct UploadLedgerTests {
    private let alice = UploadLedger.Person(container: "c", name: "_alice")
    private let now = Timestamp(milliseconds: 1000)

    private let limits = {
        var limits = Limits()
        (limits.waitingUploadBytes, limits.waitingUploads, limits.uploadsPerPerson) = (100, 10, 3)
        return limits
    }()

    private func ticket(_ number: Int64, record name: String = "r") -> UploadTicket {
        UploadTicket(
            number: number, person: "_alice", database: "d", recordName: name, recordType: "T",
            fieldName: "f", expires: Timestamp(milliseconds: 5000))
    }

    private func upload(_ name: String, _ size: Int64) -> ReceivedUpload {
        ReceivedUpload(uploadID: name, fileChecksum: "", size: size)
    }

    @Test("Of two uploads with one ticket, only the first complete one counts")
    func race() throws {
        var ledger = UploadLedger(startedAt: Timestamp(milliseconds: 0), acceptsOthers: true)
        let first = try ledger.begin(ticket(1), by: alice, expecting: 10, limits)
        let second = try ledger.begin(ticket(1), by: alice, expecting: 20, limits)
        #expect(ledger.bytes(for: "d") == 30)
        try ledger.complete(second, with: ticket(1), as: upload("u", 20), due: now)
        #expect(throws: RecordError.self) {
            try ledger.complete(first, with: ticket(1), as: upload("v", 10), due: now)
        }
        ledger.cancel(first)
        #expect(ledger.bytes(for: "d") == 20)
        #expect(throws: RecordError.self) {
            _ = try ledger.begin(ticket(1), by: alice, expecting: 1, limits)
        }
        // The ticket of another node with the same number.
        _ = try ledger.begin(ticket(1, record: "s"), by: alice, expecting: 1, limits)
    }

    @Test("A node accepts tickets of other processes; a single server refuses those from before its restart")
    func restart() throws {
        var before = UploadLedger(startedAt: now, acceptsOthers: false)
        let old = ticket(before.newTicket())
        _ = try before.begin(old, by: alice, expecting: 1, limits)
        let later = now.advanced(bySeconds: 1)
        for start in [later, now, Timestamp(milliseconds: 0)] {
            var after = UploadLedger(startedAt: start, acceptsOthers: false)
            let error = #expect(throws: RecordError.self) {
                _ = try after.begin(old, by: alice, expecting: 1, limits)
            }
            #expect(error?.code == .accessDenied)
            let new = ticket(after.newTicket())
            _ = try after.begin(new, by: alice, expecting: 1, limits)
        }
        var node = UploadLedger(startedAt: later, acceptsOthers: true)
        _ = try node.begin(old, by: alice, expecting: 1, limits)
    }

    @Test("Bytes count while they are received, and until their file is deleted")
    func counting() throws {
        var ledger = UploadLedger(startedAt: Timestamp(milliseconds: 0), acceptsOthers: true)
        let number = try ledger.begin(ticket(1), by: alice, expecting: nil, limits)
        try ledger.grow(number, to: 100, limit: 100)
        #expect(throws: RecordError.self) { try ledger.grow(number, to: 101, limit: 100) }
        #expect(throws: RecordError.self) {
            _ = try ledger.begin(ticket(2), by: alice, expecting: 1, limits)
        }
        try ledger.complete(number, with: ticket(1), as: upload("u", 90), due: now)
        #expect(ledger.bytes(for: "d") == 90)
        ledger.removeTaken([upload("u", 90), upload("stranger", 9)])
        #expect(ledger.bytes(for: "d") == 0)
    }

    @Test("A person's files that are being received are bounded; one that ends makes room for another")
    func inProgress() throws {
        var ledger = UploadLedger(startedAt: Timestamp(milliseconds: 0), acceptsOthers: true)
        let bob = UploadLedger.Person(container: "c", name: "_bob")
        let numbers = try (1...3).map { try ledger.begin(ticket($0), by: alice, expecting: 1, limits) }
        let error = #expect(throws: RecordError.self) {
            _ = try ledger.begin(ticket(4), by: alice, expecting: 1, limits)
        }
        #expect(error?.code == .tryAgainLater)
        #expect(error?.retryAfter == 5)
        _ = try ledger.begin(ticket(5), by: bob, expecting: 1, limits)
        try ledger.complete(numbers[0], with: ticket(1), as: upload("u", 1), due: now)
        let next = try ledger.begin(ticket(4), by: alice, expecting: 1, limits)
        #expect(throws: RecordError.self) {
            _ = try ledger.begin(ticket(6), by: alice, expecting: 1, limits)
        }
        ledger.cancel(next)
        _ = try ledger.begin(ticket(6), by: alice, expecting: 1, limits)
        ledger.addOffered(upload("o", 1), to: bob, in: "d", due: now)
        #expect(ledger.files(of: bob) == 2)
    }

    @Test("Files are deleted when due, and tickets forgotten when they expire")
    func time() throws {
        var ledger = UploadLedger(startedAt: Timestamp(milliseconds: 0), acceptsOthers: true)
        let number = try ledger.begin(ticket(1), by: alice, expecting: 5, limits)
        try ledger.complete(number, with: ticket(1), as: upload("u", 5), due: now)
        ledger.addOffered(upload("o", 7), to: alice, in: "e", due: now)
        #expect(ledger.sweep(at: now) == [])
        #expect(ledger.sweep(at: Timestamp(milliseconds: 1001)) == ["d", "e"])
        #expect(ledger.bytes(for: "d") == 0)
        #expect(!ledger.isEmpty)
        #expect(ledger.sweep(at: Timestamp(milliseconds: 5000)) == [])
        #expect(ledger.isEmpty)
    }
}
