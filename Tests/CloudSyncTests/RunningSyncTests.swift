import Cloudlet
import CloudletTesting
import Foundation
import LocalReplica
import Records
import Synchronization
import Testing

@testable import CloudSync
@testable import TestKit

/// Pauses that last until a test ends them.
private final class Waits: Sendable {
    private struct State {
        var begun = 0
        var sleepers: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())
    private let signal = SyncSignal()

    var active: Int { state.withLock { $0.sleepers.count } }

    func wait() async throws {
        let number = state.withLock { state in
            state.begun += 1
            return state.begun
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { sleeper in
                let isOver = state.withLock { state in
                    if !Task.isCancelled { state.sleepers[number] = sleeper }
                    return Task.isCancelled
                }
                if isOver { sleeper.resume() }
                signal.send()
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: number) }?.resume()
        }
        try Task.checkCancellation()
    }

    /// Returns when `count` waits have begun and one of them still lasts.
    func begun(_ count: Int) async throws {
        while state.withLock({ $0.begun < count || $0.sleepers.isEmpty }) {
            try await signal.wait()
            _ = signal.take()
        }
    }
}

/// The stream of statuses that a sync reports.
private final class Heard: Sendable {
    private let said = AsyncStream.makeStream(of: SyncStatus.self)

    func hear(_ status: SyncStatus) { said.continuation.yield(status) }

    /// The next status that satisfies a condition.
    func first(where holds: (SyncStatus) -> Bool) async throws -> SyncStatus {
        for await status in said.stream where holds(status) { return status }
        throw CancellationError()
    }
}

/// Passes pushes on to the app once the gate is open, and reports each push that arrives.
private final class PushGate: Sendable {
    private let isOpen = Mutex(false)
    private let arrived = AsyncStream.makeStream(of: Void.self)

    func letsThrough() -> Bool {
        let letsThrough = isOpen.withLock { $0 }
        arrived.continuation.yield()
        return letsThrough
    }

    func open() { isOpen.withLock { $0 = true } }

    /// Returns when another push has arrived.
    func arrival() async {
        for await _ in arrived.stream { return }
    }
}

@Suite("A sync that runs", .timeLimit(.minutes(30)))
struct RunningSyncTests {
    @Test("Signals that are sent while nobody waits are combined, and no reason is lost")
    func signal() async throws {
        let signal = SyncSignal()
        signal.send { $0.pushedChanges.insert(.zone("First")) }
        for _ in 0..<100 { signal.send() }
        for _ in 0..<100 { signal.send { $0.asksServer = true } }
        for number in 0..<100 {
            signal.send { $0.pushedChanges.insert(.zone(ZoneID(name: "Z\(number % 20)"))) }
        }
        try await signal.wait()
        let reasons = try #require(signal.take())
        #expect(reasons.asksServer && !reasons.endsWaits)
        #expect(reasons.pushedChanges.count == 21 && reasons.pushedChanges.contains(.zone("First")))
        #expect(signal.take() == nil)
        let sleeper = Task { try await signal.wait() }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }

    @Test("During an outage, edits cause neither requests nor waits of their own")
    func outage() async throws {
        let waits = Waits()
        let phone = try await SyncWorld.device(of: "outage", "phone") {
            $0.pause = { _ in try await waits.wait() }
        }
        phone.link.isCut = true
        let life = Task { try await phone.sync.run() }
        defer { life.cancel() }
        try await waits.begun(1)
        let before = phone.link.count
        for number in 1...5 {
            try await phone.write("text", to: "n\(number)")
            try await waits.begun(1 + number)
            #expect(waits.active == 1)
        }
        #expect(phone.link.count == before)
        life.cancel()
        try await life.value
    }

    @Test("The status reports a broken push connection, the retry, and the open connection")
    func pushes() async throws {
        let heard = Heard()
        let phone = try await SyncWorld.device(of: "listener", "phone") { configuration in
            configuration.subscribes = true
            configuration.pause = { _ in await Task.yield() }
            configuration.report = { heard.hear($0) }
        }
        phone.link.isCut = true
        let life = Task { try await phone.sync.run() }
        defer { life.cancel() }
        for seconds in [1.0, 2, 4, 8] {
            let until = phone.clock.now.addingTimeInterval(seconds)
            let status = try await heard.first { $0.pushes.until == until }
            #expect(status.pushes.why?.contains("off line") == true)
        }
        phone.link.isCut = false
        _ = try await heard.first { $0.pushes == .connected }
        life.cancel()
        try await life.value
        #expect(await phone.sync.status.pushes == .off)
    }

    @Test("Edits of owner and participant wake the sync of the other, and appear there (N45)")
    func sharedPushes() async throws {
        let (owners, guests) = (Heard(), Heard())
        let notes = try await SharedNotes(of: "wake-alice", with: "wake-bob")
        let alice = try await SyncWorld.device(of: "wake-alice", "phone") { configuration in
            configuration.subscribes = true
            configuration.report = { owners.hear($0) }
        }
        let bob = try await SyncWorld.device(of: "wake-bob", "phone", scope: .shared) { configuration in
            configuration.subscribes = true
            configuration.report = { guests.hear($0) }
        }
        // Bob subscribes before anything is shared with him, so the share itself wakes his sync.
        for device in [alice, bob] { try await device.sync.sync() }
        let subscriptions = try await bob.container.sharedCloudDatabase.allSubscriptions()
        #expect(subscriptions.map(\.subscriptionID) == ["sync-shared-database"])
        let lives = [alice, bob].map { device in Task { try await device.sync.run() } }
        defer { for life in lives { life.cancel() } }
        for heard in [owners, guests] { _ = try await heard.first { $0.pushes == .connected } }
        try await notes.open()
        func arrives(_ text: String, on device: Device, in zone: ZoneID, _ heard: Heard) async throws {
            while try await device.text("root", in: zone) != text {
                _ = try await heard.first { $0.activity == .idle }
            }
        }
        try await arrives("root", on: bob, in: notes.zone, guests)
        try await arrives("root", on: alice, in: SharedNotes.ownZone, owners)
        try await alice.write("root and stem", to: "root", in: SharedNotes.ownZone)
        try await arrives("root and stem", on: bob, in: notes.zone, guests)
        try await bob.write("root, stem, leaf", to: "root", in: notes.zone)
        try await arrives("root, stem, leaf", on: alice, in: SharedNotes.ownZone, owners)
        try await notes.remove()
        let zone = notes.zone
        while try await bob.replica.read({ try $0.count(in: zone) }) > 0 {
            _ = try await guests.first { $0.activity == .idle }
        }
        for life in lives { life.cancel() }
        for life in lives { try await life.value }
    }

    @Test("A sync that takes over the push connection misses no change made in between")
    func handOver() async throws {
        let heard = Heard()
        let states = Mutex<[Bool]>([])
        let phone = try await SyncWorld.device(of: "heir", "phone") { configuration in
            configuration.zones = ["Notes", "Drafts"]
            configuration.subscribes = true
            configuration.report = { heard.hear($0) }
        }
        let tablet = try await SyncWorld.device(of: "heir", "tablet") { $0.zones = ["Notes", "Drafts"] }
        for device in [phone, tablet] { try await device.sync.sync() }
        let keeping = Task {
            let pushes = await phone.container.pushes { state in states.withLock { $0.append(state) } }
            for await _ in pushes {}
        }
        try await until { states.withLock { $0 } == [true] }
        let life = Task { try await phone.sync.run() }
        defer { life.cancel() }
        _ = try await heard.first { $0.pushes == .connected && $0.activity == .idle }
        // The next connection waits until `gate` ends.
        let (opening, gate) = AsyncStream.makeStream(of: Never.self)
        phone.link.hook = { target in
            if target.contains("/push/stream") { for await _ in opening {} }
        }
        keeping.cancel()
        await keeping.value
        for (name, zone) in [("a", "Notes"), ("b", "Drafts")] {
            try await tablet.write("in between", to: name, zone: zone)
            try await tablet.sync.sync()
        }
        gate.finish()
        try await until { try await phone.text("a") != nil }
        try await until { try await phone.text("b", zone: "Drafts") != nil }
        life.cancel()
        try await life.value
    }

    @Test("A push that the app does not get is ignored, and each other one is followed by a fetch")
    func pushesOfTheApp() async throws {
        let (heard, gate) = (Heard(), PushGate())
        let phone = try await SyncWorld.device(of: "gate", "phone") { configuration in
            configuration.subscribes = true
            configuration.report = { heard.hear($0) }
            configuration.getsPush = { _ in gate.letsThrough() }
        }
        let tablet = try await SyncWorld.device(of: "gate", "tablet")
        try await phone.sync.sync()
        let life = Task { try await phone.sync.run() }
        defer { life.cancel() }
        _ = try await heard.first { $0.pushes == .connected }
        try await tablet.write("withheld", to: "a")
        try await tablet.sync.sync()
        await gate.arrival()
        gate.open()
        try await tablet.write("handed over", to: "b")
        try await tablet.sync.sync()
        while try await phone.text("b") == nil { _ = try await heard.first { $0.activity == .idle } }
        #expect(try await phone.text("a") == "withheld")
        life.cancel()
        try await life.value
    }
}

extension SyncStatus.Pushes {
    fileprivate var until: Date? {
        if case .interrupted(_, let until) = self { until } else { nil }
    }

    fileprivate var why: String? {
        if case .interrupted(let why, _) = self { why } else { nil }
    }
}
