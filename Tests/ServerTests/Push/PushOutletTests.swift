// Owns the proof that pushes which skip the outbox are written once, or wait there after all.

import Records
import Synchronization
import Testing

@testable import CloudService

@Suite("Pushes to connections that wait", .timeLimit(.minutes(1)))
struct PushOutletTests {
    /// A connection that writes down what it is given, when it is let.
    private final class Notebook: PushOutlet {
        struct State {
            var takes = true
            var isHeld = false
            var held: [@Sendable () -> Void] = []
            var written: [String] = []
        }

        let state = Mutex(State())

        var lane: ObjectIdentifier { ObjectIdentifier(self) }
        var written: [String] { state.withLock(\.written) }

        func run(_ work: @escaping @Sendable () -> Void) {
            let isHeld = state.withLock { state in
                if state.isHeld { state.held.append(work) }
                return state.isHeld
            }
            if !isHeld { work() }
        }

        func write(_ push: QueuedPush) -> Bool {
            state.withLock { state in
                if state.takes { state.written.append(push.message.notification.id) }
                return state.takes
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
    private let faults = FaultDesk()
    private let desk: PushDesk

    init() {
        let (stream, ending) = AsyncStream.makeStream(of: Void.self)
        let seams = Seams(
            now: { Timestamp(milliseconds: 1000) }, randomBytes: { [UInt8](repeating: 7, count: $0) },
            pause: { _ in },
            idle: { _ in
                for await _ in stream {}
                withExtendedLifetime(ending) {}
                throw CancellationError()
            },
            uptime: { .zero })
        desk = PushDesk(seams: seams, limits: Limits(), faults: faults)
    }

    private func post(_ name: String) {
        var look = PushLook()
        look.alert = .init("look")
        let notification = PushNotification(
            id: name, subscriptionID: "s", cause: .query(RecordID(name: name), .create, fields: [:]),
            look: look, origin: Stamp(at: Timestamp(milliseconds: 0), by: "_alice"))
        let message = PushMessage(
            container: "c", environment: .development, user: "_bob", database: .public,
            notification: notification)
        desk.post(PushBody(message), to: [device])
    }

    private var outcomes: [String] { desk.trace().map { "\($0.notification) \($0.outcome.rawValue)" } }

    /// What a connection is handed at its next turn, while `work` is done when it waits for one.
    private func turn(
        of connection: Int, _ work: @Sendable () async throws -> Void
    ) async throws -> [String] {
        try await desk.serving(device, connection, outlet: notebook) {
            async let turn = desk.next(device, connection, atMost: 9)
            while desk.state.withLock({ state in
                state.places.all[state.places.number(of: device)].waiting?.connection != connection
            }) {
                await Task.yield()
            }
            try await work()
            guard case .pushes(let pushes) = try await turn else { return ["over"] }
            return pushes.map(\.message.notification.id)
        }
    }

    @Test("A connection that keeps up is written to, and is not woken")
    func writes() async throws {
        let connection = try desk.connect(device).connection
        let turn = try await turn(of: connection) {
            post("a")
            post("b")
            notebook.state.withLock { $0.takes = false }
            post("c")
        }
        #expect(notebook.written == ["a", "b"])
        #expect(turn == ["c"])
        #expect(outcomes == ["a queued", "a sent", "b queued", "b sent", "c queued"])
    }

    @Test("While one waits in the outbox, the next goes behind it")
    func order() async throws {
        let connection = try desk.connect(device).connection
        let turn = try await turn(of: connection) {
            notebook.state.withLock { $0.takes = false }
            post("a")
            notebook.state.withLock { $0.takes = true }
            post("b")
        }
        #expect(notebook.written == [])
        #expect(turn.first == "a")
    }

    /// What waits for the device at its next connection.
    private func waiting() async throws -> [String] {
        let connection = try desk.connect(device).connection
        guard case .pushes(let pushes) = try await desk.next(device, connection, atMost: 9) else { return [] }
        return pushes.map(\.message.notification.id)
    }

    @Test("What is on its way when the device goes is not written, and what came last waits for it")
    func leaving() async throws {
        let connection = try desk.connect(device).connection
        let over = try await turn(of: connection) {
            notebook.state.withLock { $0.isHeld = true }
            post("a")
            post("b")
            desk.leave(device)
            notebook.release()
        }
        #expect(over == ["over"])
        #expect(notebook.written == [])
        desk.disconnect(device, connection, isPoll: false)
        #expect(try await waiting() == ["b"])
    }

    @Test("What is on its way when another connection begins goes to that one, in its order")
    func takenOver() async throws {
        let connection = try desk.connect(device).connection
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

    @Test("A push that a fault holds back is waited for by the task, one that is dropped by nobody")
    func faults() async throws {
        let connection = try desk.connect(device).connection
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
