import CloudSync
import Cloudlet
import CloudletServer
import CloudletTesting
import Foundation
import LocalReplica
import Synchronization
import TestKit
import Testing

@Suite("Sync between two devices", .timeLimit(.minutes(30)))
struct CloudSyncTests {
    @Test("An edit on one device arrives on the other")
    func carries() async throws {
        let (phone, tablet) = try await SyncWorld.pair("carries")
        try await phone.write("Bring balloons", to: "n")
        #expect(try await phone.pending() == ["create n"])
        #expect(try await phone.sync.sync().activity == .idle)
        #expect(try await phone.pending() == [])
        try await tablet.sync.waitUntilIdle()
        #expect(try await tablet.text("n") == "Bring balloons")
        try await tablet.write("Bring red balloons", to: "n")
        try await tablet.sync.sync()
        try await phone.sync.sync()
        #expect(try await phone.text("n") == "Bring red balloons")
        try await phone.delete("n")
        try await phone.sync.sync()
        try await tablet.sync.sync()
        #expect(try await tablet.text("n") == nil)
        #expect(try await phone.conflicts() + tablet.conflicts() == [])
    }

    @Test("A device that is up to date sends one request and no edits")
    func quiet() async throws {
        let (phone, _) = try await SyncWorld.pair("quiet")
        try await phone.write("a", to: "n")
        try await phone.sync.waitUntilIdle()
        try await phone.sync.waitUntilIdle()
        let before = phone.link.count
        try await phone.sync.waitUntilIdle()
        #expect(phone.link.count == before + 1)
    }

    @Test("Edits on both devices are merged, and both have the same text afterwards")
    func merges() async throws {
        let (phone, tablet) = try await SyncWorld.pair("merges")
        try await phone.write("milk", to: "n")
        try await phone.sync.sync()
        try await tablet.sync.sync()
        try await phone.write("milk eggs", to: "n")
        try await tablet.write("bread milk", to: "n")
        try await tablet.sync.sync()
        let status = try await phone.sync.sync()
        #expect(status.progress.merged == 1)
        try await tablet.sync.sync()
        #expect(try await phone.text("n") == "bread milk eggs")
        #expect(try await tablet.text("n") == "bread milk eggs")
        #expect(try await phone.conflicts() == ["n: edited here and on the server: merged"])
    }

    @Test("A deletion loses against an edit, on whichever device it was made")
    func editsWin() async throws {
        let (phone, tablet) = try await SyncWorld.pair("editswin")
        for name in ["a", "b"] { try await phone.write("text", to: name) }
        try await phone.sync.sync()
        try await tablet.sync.sync()
        try await phone.delete("a")
        try await tablet.write("text of the tablet", to: "a")
        try await phone.write("text of the phone", to: "b")
        try await tablet.delete("b")
        try await tablet.sync.sync()
        try await phone.sync.sync()
        try await tablet.sync.sync()
        for device in [phone, tablet] {
            #expect(try await device.text("a") == "text of the tablet")
            #expect(try await device.text("b") == "text of the phone")
            #expect(try await device.pending() == [])
        }
    }

    @Test("An edit made while its record is being sent is sent separately")
    func editDuringUpload() async throws {
        let (phone, tablet) = try await SyncWorld.pair("editduring")
        try await phone.write("one", to: "n")
        phone.link.hook = { target in
            guard target.contains("records/modify") else { return }
            phone.link.hook = nil
            try await phone.write("one two", to: "n")
        }
        try await phone.sync.sync()
        try await tablet.sync.sync()
        #expect(try await tablet.text("n") == "one two")
        #expect(try await phone.conflicts() == [])
    }

    @Test("A save whose answer was lost is recognised, and not applied twice", arguments: [false, true])
    func lostAnswer(isEditedSince: Bool) async throws {
        let (phone, tablet) = try await SyncWorld.pair("lost\(isEditedSince)")
        try await phone.sync.sync()
        try await phone.write("one", to: "n")
        phone.fault(.responseLost, on: "records/modify")
        let status = try await phone.sync.sync()
        #expect(status.activity == .waiting)
        #expect(try await phone.pending() == ["create n"])
        if isEditedSince { try await phone.write("one two", to: "n") }
        try await phone.sync.waitUntilIdle()
        try await tablet.sync.sync()
        #expect(try await tablet.text("n") == (isEditedSince ? "one two" : "one"))
        #expect(try await phone.conflicts() == [])
        #expect(try await phone.pending() == [])
    }

    @Test("A deleted record whose creation was sent without an answer stays deleted, also if a fetch fails")
    func deletedInDoubt() async throws {
        let (phone, tablet) = try await SyncWorld.pair("lostdeleted")
        try await phone.sync.sync()
        try await phone.write("one", to: "n")
        phone.fault(.responseLost, on: "records/modify")
        #expect(try await phone.sync.sync().activity == .waiting)
        try await phone.delete("n")
        phone.link.hook = { target in
            if target.contains("changes/zone") { throw CloudTransportError.connectionLost("a test") }
        }
        for _ in 1...2 { try await phone.sync.sync() }
        phone.link.hook = nil
        try await phone.sync.waitUntilIdle()
        try await tablet.sync.waitUntilIdle()
        #expect(try await tablet.text("n") == nil)
        #expect(try await phone.text("n") == nil)
        #expect(try await phone.pending() == [])
    }

    @Test("A change of the account while the sync asks who is signed in makes it ask again")
    func accountChange() async throws {
        let (phone, _) = try await SyncWorld.pair("switched")
        let asked = Mutex(0)
        phone.link.hook = { target in
            guard target.contains("/users/") else { return }
            if asked.withLock({
                $0 += 1; return $0
            }) == 1 {
                await phone.sync.accountChanged()
            }
        }
        try await phone.sync.waitUntilIdle()
        #expect(asked.withLock { $0 } == 2)
    }

    @Test("Offline edits are kept, and sent when there is a network")
    func offline() async throws {
        let (phone, tablet) = try await SyncWorld.pair("offline")
        phone.link.isCut = true
        try await phone.write("on the plane", to: "n")
        let status = try await phone.sync.sync()
        #expect(status.activity == .waiting)
        #expect(status.until == phone.clock.now.addingTimeInterval(1))
        phone.link.isCut = false
        try await phone.sync.waitUntilIdle()
        try await tablet.sync.sync()
        #expect(try await tablet.text("n") == "on the plane")
    }

    @Test("Each consecutive failure doubles the wait, up to five minutes")
    func backOff() async throws {
        let (phone, _) = try await SyncWorld.pair("backoff")
        phone.link.isCut = true
        var waits: [TimeInterval] = []
        for _ in 0..<11 {
            let status = try await phone.sync.sync()
            waits.append(try #require(status.until).timeIntervalSince(phone.clock.now))
        }
        #expect(waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
    }

    @Test(
        "A sync waits as long as the server asks for, even if the app requests a pass",
        arguments: [FaultKind.rateLimited, .unavailable, .zoneBusy])
    func throttled(fault: FaultKind) async throws {
        let (phone, _) = try await SyncWorld.pair("throttled\(fault.rawValue)")
        try await phone.sync.sync()
        try await phone.write("a", to: "n")
        phone.fault(fault, on: "records/modify", seconds: 17)
        let status = try await phone.sync.sync()
        #expect(status.activity == .waiting)
        #expect(status.until == phone.clock.now.addingTimeInterval(17))
        let before = phone.link.count
        try await phone.sync.sync()
        #expect(phone.link.count == before)
        try await phone.sync.waitUntilIdle()
        #expect(try await phone.pending() == [])
    }

    @Test("A server that asks for a wait of a year is asked again after an hour")
    func longWait() async throws {
        let (phone, _) = try await SyncWorld.pair("year")
        try await phone.sync.sync()
        try await phone.write("a", to: "n")
        phone.fault(.rateLimited, on: "records/modify", seconds: 31_536_000)
        let status = try await phone.sync.sync()
        #expect(status.until == phone.clock.now.addingTimeInterval(3600))
        try await phone.sync.waitUntilIdle()
        #expect(try await phone.pending() == [])
    }

    @Test("A batch that is too large is halved until it fits")
    func halves() async throws {
        let (phone, tablet) = try await SyncWorld.pair("halves")
        try await phone.sync.sync()
        for number in 0..<20 { try await phone.write("text", to: "n\(number)") }
        phone.fault(.limitExceeded, on: "records/modify", count: 3)
        try await phone.sync.waitUntilIdle()
        try await tablet.sync.sync()
        #expect(try await tablet.replica.read { try $0.count(in: "Notes") } == 20)
        #expect(try await phone.pending() == [])
    }

    @Test("A record that the server refuses stays, is named in the status, and delays no other")
    func partialFailure() async throws {
        let (phone, tablet) = try await SyncWorld.pair("partial")
        try await phone.sync.sync()
        for name in ["a", "b", "c"] { try await phone.write("text", to: name) }
        phone.fault(.invalidItem, on: "records/modify")
        try await phone.sync.waitUntilIdle()
        try await tablet.sync.sync()
        #expect(try await phone.pending() == ["create a refused"])
        #expect(try await tablet.text("a") == nil)
        #expect(try await tablet.text("c") == "text")
        try await phone.write("better text", to: "a")
        try await phone.sync.waitUntilIdle()
        try await tablet.sync.sync()
        #expect(try await tablet.text("a") == "better text")
    }

    @Test("With full storage nothing is sent for an hour, and fetching goes on")
    func full() async throws {
        let (phone, tablet) = try await SyncWorld.pair("full")
        try await phone.sync.sync()
        try await tablet.write("theirs", to: "t")
        try await tablet.sync.sync()
        try await phone.write("ours", to: "p")
        phone.fault(.quotaFull, on: "records/modify")
        let status = try await phone.sync.sync()
        #expect(status.activity == .waiting)
        #expect(status.until == phone.clock.now.addingTimeInterval(3600))
        #expect(try await phone.text("t") == "theirs")
        #expect(try await phone.pending() == ["create p"])
        try await phone.sync.waitUntilIdle()
        #expect(try await phone.pending() == [])
    }

    @Test("With an expired token, a zone is fetched again: deleted records are removed, edits stay")
    func expired() async throws {
        let (phone, tablet) = try await SyncWorld.pair("expired")
        for name in ["a", "b", "c"] { try await phone.write("text", to: name) }
        try await phone.sync.sync()
        try await tablet.sync.sync()
        try await phone.delete("a")
        try await phone.sync.sync()
        try await tablet.write("text of mine", to: "b")
        tablet.fault(.tokenExpired, on: "changes/zone")
        try await tablet.sync.waitUntilIdle()
        #expect(try await tablet.text("a") == nil)
        #expect(try await tablet.text("b") == "text of mine")
        #expect(try await tablet.text("c") == "text")
        tablet.fault(.tokenExpired, on: "changes/database")
        try await tablet.sync.waitUntilIdle()
        #expect(try await tablet.text("c") == "text")
    }

    @Test("With tokens of a database that was replaced, a device fetches everything again once")
    func replaced() async throws {
        let phone = try await SyncWorld.device(of: "replaced", "phone")
        let other = try await SyncWorld.device(of: "replaced-before", "phone")
        for device in [phone, other] {
            for name in ["a", "b"] { try await device.write("text", to: name) }
            try await device.sync.waitUntilIdle()
        }
        let (zone, whole) = try await other.replica.read {
            (try $0.token(of: "Notes"), try $0.databaseState().token)
        }
        let token = try #require(zone)
        try await phone.replica.write { writer in
            try writer.setToken(token, of: "Notes", moreComing: false)
            try writer.setDatabaseToken(whole)
        }
        try await phone.write("text of mine", to: "b")
        try await phone.sync.waitUntilIdle()
        #expect(try await phone.pending() == [])
        #expect(try await phone.text("a") == "text")
        #expect(try await phone.text("b") == "text of mine")
        #expect(try await phone.replica.read { try $0.token(of: "Notes") } != token)
        // The device has fetched everything from the start; the next round finds no further changes.
        let before = phone.link.count
        #expect(try await phone.sync.sync().activity == .idle)
        #expect(phone.link.count - before <= 5)
    }

    @Test("Without a sign-in, edits are kept and sent later; with another person, nothing changes")
    func accounts() async throws {
        let world = try await SyncWorld.world()
        let (phone, tablet) = try await SyncWorld.pair("accounts")
        try await phone.write("mine", to: "n")
        try await phone.sync.sync()
        let account = CloudAccount()
        var connection = try await world.connection(of: nil, on: "accounts-shared")
        connection.account = account
        let container = CKContainer(identifier: SyncWorld.container, connection: connection)
        var configuration = phone.sync.configurationForTests
        configuration.subscribes = false
        let shared = CloudSync(container: container, replica: phone.replica, configuration: configuration)
        try await phone.write("mine and more", to: "n")
        #expect(try await shared.sync().activity == .blocked)
        await #expect(throws: SyncBlocked.self) { try await shared.waitUntilIdle() }
        try await account.signIn(as: "accounts-else", to: container)
        await shared.accountChanged()
        #expect(try await shared.sync().why.contains("another person"))
        #expect(try await phone.pending() == ["update n"])
        try await account.signIn(as: "accounts", to: container)
        await shared.accountChanged()
        try await shared.waitUntilIdle()
        try await tablet.sync.sync()
        #expect(try await tablet.text("n") == "mine and more")
    }

    @Test("An edit that another device makes while a deletion is being sent wins")
    func editBeforeDeletion() async throws {
        let (phone, tablet) = try await SyncWorld.pair("editbeforedeletion")
        try await phone.write("text", to: "n")
        try await phone.sync.sync()
        try await tablet.sync.sync()
        try await phone.delete("n")
        phone.link.hook = { target in
            guard target.contains("records/modify") else { return }
            phone.link.hook = nil
            try await tablet.write("text of the tablet", to: "n")
            try await tablet.sync.sync()
        }
        try await phone.sync.waitUntilIdle()
        try await tablet.sync.waitUntilIdle()
        #expect(try await phone.text("n") == "text of the tablet")
        #expect(try await tablet.text("n") == "text of the tablet")
        #expect(try await phone.conflicts() == ["n: deleted here, edited on the server: kept the edit"])
    }

    @Test("Repeated failures to send lengthen the wait, although fetching succeeds")
    func backOffOfSending() async throws {
        let (phone, _) = try await SyncWorld.pair("backoffsending")
        try await phone.sync.sync()
        try await phone.write("a", to: "n")
        phone.fault(.networkFailureBefore, on: "records/modify", count: 4)
        var waits: [TimeInterval] = []
        for _ in 0..<4 {
            let status = try await phone.sync.sync()
            waits.append(try #require(status.until).timeIntervalSince(phone.clock.now))
        }
        #expect(waits == [1, 2, 4, 8])
        try await phone.sync.waitUntilIdle()
        #expect(try await phone.pending() == [])
    }

    @Test("Large zones are fetched page by page, and an interrupted fetch continues where it ended")
    func pages() async throws {
        let (phone, _) = try await SyncWorld.pair("pages")
        for number in 0..<30 { try await phone.write("text", to: "n\(number)") }
        try await phone.sync.waitUntilIdle()
        let tablet = try await SyncWorld.device(of: "pages", "tablet") { $0.pageSize = 10 }
        tablet.fault(.networkFailureBefore, on: "changes/zone", first: 3)
        try await tablet.sync.sync()
        #expect(try await tablet.replica.read { try $0.count(in: "Notes") } == 20)
        let status = try await tablet.sync.sync()
        #expect(status.progress.fetched == 10)
        #expect(try await tablet.replica.read { try $0.count(in: "Notes") } == 30)
    }

    @Test("A running sync reacts to edits and to silent pushes")
    func runs() async throws {
        let (phone, tablet) = try await SyncWorld.pair("runs") { $0.subscribes = true }
        let lives = [phone, tablet].map { device in Task { try await device.sync.run() } }
        defer { for life in lives { life.cancel() } }
        var texts = tablet.replica.observe { reader in
            try reader.records(ofType: "Note", in: "Notes").compactMap { $0[field: "text"] as String? }
        }.makeAsyncIterator()
        #expect(try await texts.next() == [])
        try await phone.write("hello", to: "n")
        #expect(try await texts.next() == ["hello"])
        try await phone.write("hello again", to: "n")
        #expect(try await texts.next() == ["hello again"])
        for life in lives { life.cancel() }
        for life in lives { try await life.value }
    }
}

extension CloudSync {
    /// A configuration with the zone `Notes` and a simulated clock.
    nonisolated var configurationForTests: SyncConfiguration {
        let clock = WorldClock(WorldClock.beginning)
        return SyncConfiguration(
            zones: ["Notes"], now: { clock.now }, pause: { clock.advance(bySeconds: $0 / .seconds(1)) })
    }
}
