import Records
import Synchronization
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("Pushes to connections that wait", .timeLimit(.minutes(30)))
struct PushWriterTests {
    /// A connection that records the pushes that it is given, up to `room`.
    private final class Notebook: PushWriter {
        struct State {
            /// The number of pushes that it still accepts.
            var room = Int.max
            var isHeld = false
            var held: [@Sendable () -> Void] = []
            var written: [String] = []
            /// Runs while a push is being written.
            var meanwhile: @Sendable () -> Void = {}
        }

        let state = Mutex(State())

        var eventLoop: ObjectIdentifier { ObjectIdentifier(self) }
        var written: [String] { state.withLock(\.written) }

        func execute(_ work: @escaping @Sendable () -> Void) {
            let isHeld = state.withLock { state in
                if state.isHeld { state.held.append(work) }
                return state.isHeld
            }
            if !isHeld { work() }
        }

        func write(_ push: QueuedPush) -> Bool {
            state.withLock(\.meanwhile)()
            return state.withLock { state in
                guard state.room > 0 else { return false }
                state.room -= 1
                state.written.append(push.message.notification.id)
                return true
            }
        }

        func release() {
            let held = state.withLock { state in
                defer { state.held = [] }
                return state.held
            }
            for work in held { work() }
        }
    }

    private let device = PushToken(
        text: "token", service: .development, container: "c", environment: .development, user: "_bob",
        client: "phone", created: Timestamp(milliseconds: 0))
    private let notebook = Notebook()
    private let faults = FaultInjector()
    private let hub: PushHub

    init() {
        let (stream, ending) = AsyncStream.makeStream(of: Void.self)
        let runtime = ServerRuntime(
            now: { Timestamp(milliseconds: 1000) }, randomBytes: { [UInt8](repeating: 7, count: $0) },
            pause: { _ in },
            idle: { _ in
                for await _ in stream {}
                withExtendedLifetime(ending) {}
                throw CancellationError()
            },
            uptime: { .zero })
        hub = PushHub(runtime: runtime, limits: Limits(), faults: faults)
    }

    private func post(_ names: String..., to devices: [PushToken]? = nil) {
        hub.post(names.map { OutgoingPush(body: PushBody(message($0)), devices: devices ?? [device]) })
    }

    private func message(_ name: String) -> PushMessage {
        var presentation = PushPresentation()
        presentation.alert = .init("look")
        let notification = PushNotification(
            id: name, subscriptionID: "s", cause: .query(RecordID(name: name), .create, fields: [:]),
            presentation: presentation, origin: Stamp(at: Timestamp(milliseconds: 0), by: "_alice"))
        return PushMessage(
            container: "c", environment: .development, user: "_bob", database: .public,
            notification: notification)
    }

    /// The number of the device's slot.
    private func slot(of device: PushToken) -> Int? {
        hub.state.withLock { $0.devices.slot(of: device) }
    }

    private var outcomes: [String] { hub.trace().map { "\($0.notification) \($0.outcome.rawValue)" } }

    /// Returns the answer of `next` to a connection. `work` runs when the connection waits.
    private func turn(
        of connection: Int, on device: PushToken? = nil, _ work: @Sendable () async throws -> Void
    ) async throws -> [String] {
        let device = device ?? self.device
        return try await hub.serving(device, connection, writer: notebook) {
            async let turn = hub.next(device, connection, atMost: 9)
            while hub.state.withLock({ state in
                state.devices.slots[state.devices.makeSlot(for: device)].waiting?.connection != connection
            }) {
                await Task.yield()
            }
            try await work()
            guard case .pushes(let pushes) = try await turn else { return ["over"] }
            return pushes.map(\.message.notification.id)
        }
    }

    @Test("A push is written to a fast connection directly, without resuming its task")
    func writes() async throws {
        let connection = try hub.connect(device).connection
        let turn = try await turn(of: connection) {
            post("a")
            post("b")
            notebook.state.withLock { $0.room = 0 }
            post("c")
        }
        #expect(notebook.written == ["a", "b"])
        #expect(turn == ["c"])
        #expect(outcomes == ["a queued", "a sent", "b queued", "b sent", "c queued"])
    }

    @Test("A new push is queued behind the waiting ones in the outbox")
    func order() async throws {
        let connection = try hub.connect(device).connection
        let turn = try await turn(of: connection) {
            notebook.state.withLock { $0.room = 0 }
            post("a")
            notebook.state.withLock { $0.room = 9 }
            post("b")
        }
        #expect(notebook.written == [])
        #expect(turn.first == "a")
    }

    /// The pushes that the device gets at its next connection.
    private func waiting() async throws -> [String] {
        let connection = try hub.connect(device).connection
        guard case .pushes(let pushes) = try await hub.next(device, connection, atMost: 9) else { return [] }
        return pushes.map(\.message.notification.id)
    }

    @Test("A push in transit when the device disconnects is not written, and the latest one waits")
    func leaving() async throws {
        let connection = try hub.connect(device).connection
        let over = try await turn(of: connection) {
            notebook.state.withLock { $0.isHeld = true }
            post("a")
            post("b")
            hub.leave(device)
            notebook.release()
        }
        #expect(over == ["over"])
        #expect(notebook.written == [])
        hub.disconnect(device, connection, isPoll: false)
        #expect(try await waiting() == ["b"])
    }

    @Test("Pushes in transit when a new connection begins go to the new connection, in order")
    func takenOver() async throws {
        let connection = try hub.connect(device).connection
        let over = try await turn(of: connection) {
            notebook.state.withLock { $0.isHeld = true }
            post("a")
            post("b")
            let found = try await waiting()
            #expect(found == ["a", "b"])
            notebook.release()
        }
        #expect(over == ["over"])
        #expect(notebook.written == [])
    }

    @Test("Pushes that a slow connection does not take return to the outbox in order")
    func rest() async throws {
        let connection = try hub.connect(device).connection
        let turn = try await turn(of: connection) {
            notebook.state.withLock { state in
                state.isHeld = true
                state.room = 1
            }
            post("a")
            post("b", "c")
            notebook.release()
        }
        #expect(notebook.written == ["a"])
        #expect(turn == ["b", "c"])
        #expect(outcomes == ["a queued", "b queued", "c queued", "a sent"])
    }

    @Test("Pushes that are posted together are each written once")
    func together() async throws {
        let connection = try hub.connect(device).connection
        let turn = try await turn(of: connection) {
            post("a", "b", "c")
            notebook.state.withLock { $0.room = 0 }
            post("d")
        }
        #expect(notebook.written == ["a", "b", "c"])
        #expect(turn == ["d"])
    }

    @Test("A push in transit to a removed device is dropped, and not sent to the next owner of its slot")
    func forgotten() async throws {
        let other = PushToken(
            text: "other", service: .development, container: "c", environment: .development, user: "_eve",
            client: "pad", created: Timestamp(milliseconds: 0))
        let connection = try hub.connect(device).connection
        let over = try await turn(of: connection) {
            notebook.state.withLock { $0.isHeld = true }
            post("a")
            let slot = self.slot(of: device)
            hub.forget(device, because: "it is gone")
            let next = try hub.connect(other).connection
            #expect(self.slot(of: other) == slot)
            let taken = try await turn(of: next, on: other) {
                notebook.release()
                post("b", to: [other])
                notebook.release()
                hub.leave(other)
            }
            #expect(taken == ["over"])
        }
        #expect(over == ["over"])
        #expect(notebook.written == ["b"])
        #expect(outcomes == ["a queued", "a dropped", "b queued", "b sent"])
    }

    @Test("A push that a connection refuses is dropped if its device was removed meanwhile")
    func refused() async throws {
        let connection = try hub.connect(device).connection
        let over = try await turn(of: connection) {
            notebook.state.withLock { state in
                state.room = 0
                state.meanwhile = { hub.forget(device, because: "it is gone") }
            }
            post("a")
        }
        #expect(over == ["over"])
        #expect(outcomes == ["a queued", "a dropped"])
        #expect(slot(of: device) == nil)
    }

    @Test("The connection's task takes a push that a fault duplicates; a dropped one does not resume it")
    func faults() async throws {
        let connection = try hub.connect(device).connection
        let id = faults.add(Fault(.pushDrop))
        let turn = try await turn(of: connection) {
            post("a")
            _ = faults.remove(id)
            post("b")
            _ = faults.add(Fault(.pushDuplicate))
            post("c")
        }
        #expect(notebook.written == ["b"])
        #expect(turn == ["c", "c"])
    }
}
