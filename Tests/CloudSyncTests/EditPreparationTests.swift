import LocalReplica
import Records
import Testing

@testable import CloudSync
@testable import TestKit

extension Device {
    /// Marks edits as sent in their own transactions while the sync is idle, as `CloudSync.run()` does.
    func prepareEdits() {
        replica.prepare(with: { [preparation = sync.preparation] in try preparation.prepare($0) })
    }
}

@Suite("Edits that are marked as sent when they are made", .timeLimit(.minutes(30)))
struct EditPreparationTests {
    /// Two devices that have a note. The first one is idle, and marks its edits.
    private func pair(_ person: String) async throws -> (Device, Device) {
        let (phone, tablet) = try await SyncWorld.pair(person)
        try await phone.write("one", to: "n")
        try await phone.sync.waitUntilIdle()
        try await tablet.sync.waitUntilIdle()
        phone.prepareEdits()
        return (phone, tablet)
    }

    private func marked(_ device: Device) async throws -> String? {
        try await device.replica.read { try $0.unansweredBatch()?.zone.name }
    }

    @Test("An edit is marked in its own transaction, and then sent by the only request")
    func marks() async throws {
        let (phone, tablet) = try await pair("marks")
        try await phone.write("two", to: "n")
        #expect(try await marked(phone) == "Notes")
        let before = phone.link.count
        try await phone.sync.sync(asksServer: false)
        #expect(phone.link.count == before + 1)
        #expect(try await phone.pending() == [])
        #expect(try await marked(phone) == nil)
        try await tablet.sync.sync()
        #expect(try await tablet.text("n") == "two")
    }

    @Test("A second edit before the first one is sent follows it")
    func second() async throws {
        let (phone, tablet) = try await pair("marks-second")
        try await phone.write("two", to: "n")
        try await phone.write("three", to: "n")
        try await phone.sync.sync(asksServer: false)
        #expect(try await phone.pending() == [])
        #expect(try await phone.conflicts() == [])
        try await tablet.sync.sync()
        #expect(try await tablet.text("n") == "three")
    }

    @Test("If the process ends before it sends a marked edit, the next process sends it")
    func processEnds() async throws {
        let (phone, tablet) = try await pair("marks-end")
        try await phone.write("two", to: "n")
        phone.replica.prepare(with: nil)
        let next = CloudSync(
            container: phone.container, replica: phone.replica, configuration: phone.sync.configuration)
        try await next.waitUntilIdle()
        #expect(try await phone.pending() == [])
        #expect(try await phone.conflicts() == [])
        try await tablet.sync.sync()
        #expect(try await tablet.text("n") == "two")
    }

    @Test("A marked edit is merged with an edit of another device that arrives first")
    func conflict() async throws {
        let (phone, tablet) = try await pair("marks-conflict")
        try await phone.write("start one", to: "n")
        try await tablet.write("one end", to: "n")
        try await tablet.sync.sync()
        try await phone.sync.waitUntilIdle()
        try await tablet.sync.waitUntilIdle()
        let text = try await phone.text("n")
        #expect(try await tablet.text("n") == text)
        #expect(text?.contains("start") == true)
        #expect(text?.contains("end") == true)
        #expect(try await phone.pending() == [])
    }

    @Test("While the sync waits, edits are not marked")
    func offline() async throws {
        let (phone, _) = try await pair("marks-offline")
        phone.link.isCut = true
        try await phone.write("two", to: "n")
        let status = try await phone.sync.sync(asksServer: false)
        #expect(status.activity == .waiting)
        #expect(try await marked(phone) == nil)
        try await phone.write("two", to: "m")
        #expect(try await marked(phone) == nil)
        phone.link.isCut = false
        try await phone.sync.waitUntilIdle()
        #expect(try await phone.pending() == [])
    }
}
