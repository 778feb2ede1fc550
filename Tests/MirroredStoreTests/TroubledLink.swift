import Cloudlet
import Foundation
import MirroredStore
import Records
import RecordsWire
import Synchronization

/// A fault of a device: at one request, or at one reading of its clock.
enum Trouble: Sendable, CaseIterable {
    /// The request does not reach the server.
    case noConnection
    /// The server executes the request, and its answer is lost.
    case lostAnswer
    /// The call that sends the request is cancelled.
    case cancelled
    /// The process ends before the request is sent.
    case deathBefore
    /// The process ends after the server has executed the request.
    case deathAfter
    /// The process ends when it reads the clock: often within a transaction.
    case deathBetween

    var isDeath: Bool { self == .deathBefore || self == .deathAfter || self == .deathBetween }
}

/// A transport that can be interrupted, and that causes one fault after a number of requests.
final class CutLink: CloudTransport {
    private struct State {
        var isCut = false
        /// Whether the process has ended: nothing reaches the server any more.
        var isDead = false
        var trouble: (kind: Trouble, left: Int)?
        var hadTrouble = false
        var cancel: @Sendable () -> Void = {}
        var die: @Sendable () -> Void = {}
    }

    private let base: any CloudTransport
    private let state = Mutex(State())

    init(_ base: any CloudTransport) { self.base = base }

    var isCut: Bool {
        get { state.withLock { $0.isCut } }
        set { state.withLock { $0.isCut = newValue } }
    }

    /// Whether the fault has occurred since `expect`.
    var hadTrouble: Bool { state.withLock { $0.hadTrouble } }

    var isDead: Bool { state.withLock { $0.isDead } }

    /// Causes a fault after this number of requests, or of readings of the clock; nil causes none.
    func expect(_ trouble: Trouble?, after count: Int = 0, cancel: @escaping @Sendable () -> Void = {}) {
        state.withLock { state in
            state.trouble = trouble.map { ($0, count) }
            (state.hadTrouble, state.cancel) = (false, cancel)
        }
    }

    /// Sets the closure that is called when the simulated process ends.
    func atDeath(_ die: @escaping @Sendable () -> Void) { state.withLock { $0.die = die } }

    func revive() { state.withLock { $0.isDead = false } }

    /// Counts a reading of the clock; `deathBetween` ends the process at one of them.
    func tick() {
        if next(isRequest: false) != nil { end() }
    }

    private func next(isRequest: Bool) -> Trouble? {
        state.withLock { state in
            guard !state.isDead, let trouble = state.trouble, (trouble.kind != .deathBetween) == isRequest
            else {
                return nil
            }
            state.trouble?.left -= 1
            if trouble.left > 0 { return nil }
            (state.trouble, state.hadTrouble) = (nil, true)
            return trouble.kind
        }
    }

    private func end() {
        let die = state.withLock { state in
            state.isDead = true
            return state.die
        }
        die()
    }

    func send(_ request: CloudRequest) async throws -> CloudResponse {
        if state.withLock({ $0.isCut || $0.isDead }) {
            throw CloudTransportError.unreachable("the device is off line")
        }
        switch next(isRequest: true) {
        case nil: return try await base.send(request)
        case .noConnection: throw CloudTransportError.unreachable("the device has no connection now")
        case .lostAnswer: _ = try await base.send(request)
        case .cancelled:
            state.withLock { $0.cancel }()
            return try await base.send(request)
        case .deathBefore, .deathBetween: end()
        case .deathAfter:
            _ = try await base.send(request)
            end()
        }
        throw CloudTransportError.connectionLost("the answer was lost")
    }
}

extension MirroredDevice {
    /// Calls the store, and causes a fault meanwhile. Errors are ignored if the fault occurred. If the fault
    /// ended the process, the store is opened again as it was at that moment.
    func attempt(
        _ trouble: Trouble, after count: Int, _ body: @escaping @Sendable (MirroredStore) async throws -> Void
    ) async throws {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let store = store
        let call = Task {
            for await _ in started { break }
            try await body(store)
        }
        link.expect(trouble, after: count) { call.cancel() }
        start.yield()
        let result = await call.result
        let hadTrouble = link.hadTrouble
        link.expect(nil)
        if link.isDead { return try restart() }
        if !hadTrouble { try result.get() }
    }
}
