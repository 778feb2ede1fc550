import CloudSync
import Cloudlet
import CloudletShell
import CloudletTesting
import Foundation
import RecordsWire
import Synchronization
import Testing

@testable import ClownCentral
@testable import ShellKit
@testable import TestKit

@Suite("The app's answer to a push that wakes it", .timeLimit(.minutes(30)))
struct PushHandlerTests {
    /// A transport that answers no request for changes while it is stalled.
    private final class StallingTransport: CloudTransport {
        let base: any CloudTransport
        private let clock: WorldClock
        private let state = Mutex((isStalled: false, hasWaitingRequest: false))

        init(to base: any CloudTransport, _ clock: WorldClock) {
            self.base = base
            self.clock = clock
        }

        var hasWaitingRequest: Bool { state.withLock { $0.hasWaitingRequest } }

        func stall() { state.withLock { $0.isStalled = true } }

        func send(_ request: CloudRequest) async throws -> CloudResponse {
            if request.target.contains("/changes/"), state.withLock({ $0.isStalled }) {
                state.withLock { $0.hasWaitingRequest = true }
                try await clock.waitUntilAdvanced(by: .seconds(1_000_000_000))
            }
            return try await base.send(request)
        }
    }

    private struct Device {
        let data: PersonalData
        let container: CKContainer
        let transport: StallingTransport

        /// Registers the device for pushes and disconnects, so that the server keeps the next push.
        func connectOnce() async throws {
            let pushes = await container.pushes()
            withExtendedLifetime(pushes) {}
            try await container.leavePushes()
        }

        func send(_ text: String) async throws {
            try await data.repository.save(Note(id: text.lowercased(), text: text))
            try await data.sync.sync()
        }
    }

    private func device(_ name: String, in world: CloudletWorld, _ folder: URL) async throws -> Device {
        let clock = world.clock
        var connection = try await world.connection(of: "alice", on: name)
        let transport = StallingTransport(to: connection.transport, clock)
        connection.transport = transport
        let container = CKContainer(identifier: ClownCentralApp.container, connection: connection)
        let data = try PersonalData(
            folder: folder.appendingPathComponent(name), newDevice: name, container: container,
            newName: UUIDSource(name).next, now: { clock.now },
            pause: { try await clock.waitUntilAdvanced(by: $0) })
        return Device(data: data, container: container, transport: transport)
    }

    private func run(
        _ body: (_ world: CloudletWorld, _ phone: Device, _ mac: Device) async throws -> Void
    ) async throws {
        let folder = try URL.newFolder()
        defer { folder.remove() }
        try await CloudletWorld.run { world in
            let phone = try await device("phone", in: world, folder)
            try await phone.data.sync.sync()
            try await phone.connectOnce()
            try await body(world, phone, try await device("mac", in: world, folder))
        }
    }

    @Test("the app fetches the changes that a push announces, and reports newData, or noData if it had them")
    func results() async throws {
        try await run { _, phone, mac in
            try await mac.send("One")
            let first = await phone.data.answerNextPush()
            #expect(first == .newData)
            let notes = try await phone.data.repository.notes()
            #expect(notes.models.map(\.text) == ["One"])
            try await mac.send("Two")
            try await phone.data.sync.sync()
            let second = await phone.data.answerNextPush()
            #expect(second == .noData)
        }
    }

    @Test("a fetch that takes longer than 30 seconds and the 60 that the app asks for has failed")
    func tooLong() async throws {
        try await run { world, phone, mac in
            try await mac.send("One")
            phone.transport.stall()
            let start = world.clock.now
            let ended = Ended()
            async let result = ended.after { await phone.data.answerNextPush() }
            try await until { phone.transport.hasWaitingRequest }
            #expect(!ended.isTrue)
            try await until {
                if ended.isTrue { return true }
                world.clock.advance(bySeconds: 1)
                return false
            }
            let reported = await result
            #expect(reported == .failed)
            #expect(world.clock.now.timeIntervalSince(start) >= 90)
        }
    }

    private final class Ended: Sendable {
        private let state = Mutex(false)

        var isTrue: Bool { state.withLock { $0 } }

        func after<Value: Sendable>(_ work: @Sendable () async -> Value) async -> Value {
            let value = await work()
            state.withLock { $0 = true }
            return value
        }
    }
}
