import Foundation

/// Lets all listeners of a device use one connection for pushes: the server sends the pushes of a device and
/// container to its latest connection only.
///
/// The first listener keeps the connection in its own task. When it breaks, it ends for all listeners. When
/// that task is cancelled, another listener opens it again at once; meanwhile the server keeps the pushes.
final class PushSharing: Sendable {
    /// What the server knows as one device.
    struct Place: Hashable {
        var container: String
        var environment: CloudConnection.Environment
        var device: String?
        /// The first token of the session; nil if nobody is signed in.
        var session: String?
    }

    /// The closures of a listener.
    struct Listener {
        /// Called each time that bytes arrive, the first of which show that the connection is open.
        var onOpen: @Sendable () -> Void
        var take: @Sendable (CKNotification) -> Void
    }

    private struct Line {
        /// All listeners, also the one that keeps the connection.
        var listeners: [Int: Listener]
        var waiting: [Int: CheckedContinuation<Result<Void, any Error>, Never>] = [:]
        var isOpen = false
    }

    private let lines = Locked<[Place: Line]>([:])
    /// The number of the last listener.
    private let last = Locked(0)

    /// The listener that kept the connection was cancelled.
    private struct HandOver: Error {}

    /// Receives pushes until the connection breaks.
    ///
    /// - Parameter connect: opens the connection and returns when it ends; called if there is none.
    /// - Throws: errors of `connect`, and `CancellationError`.
    func listen(
        at place: Place, _ listener: Listener, connect: (Listener) async throws -> Void
    ) async throws {
        while let id = join(place, listener) {
            do { return try await wait(at: place, id) } catch is HandOver {}
        }
        do {
            try await connect(
                Listener {
                    self.opened(place)
                } take: {
                    self.forward($0, at: place)
                })
            end(place, .success(()))
        } catch {
            let isCancelled = Task.isCancelled || error is CancellationError
            end(place, .failure(isCancelled ? HandOver() : error))
            throw error
        }
    }

    /// Adds a listener. Returns its number; nil: the listener opens the connection.
    private func join(_ place: Place, _ listener: Listener) -> Int? {
        let id = last.withLock { last in
            last += 1
            return last
        }
        let known: Bool? = lines.withLock { lines in
            let isOpen = lines[place]?.isOpen
            lines[place, default: Line(listeners: [:])].listeners[id] = listener
            return isOpen
        }
        guard let isOpen = known else { return nil }
        if isOpen { listener.onOpen() }
        return id
    }

    /// Waits for the end of a connection that another listener keeps.
    private func wait(at place: Place, _ id: Int) async throws {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now: Result<Void, any Error>? = lines.withLock { lines in
                    if Task.isCancelled {
                        lines[place]?.listeners[id] = nil
                        return .failure(CancellationError())
                    }
                    // The connection has ended since this listener joined.
                    if lines[place]?.listeners[id] == nil { return .failure(HandOver()) }
                    lines[place]?.waiting[id] = continuation
                    return nil
                }
                if let now { continuation.resume(returning: now) }
            }
        } onCancel: {
            let continuation = lines.withLock { lines in
                guard let continuation = lines[place]?.waiting.removeValue(forKey: id) else {
                    return CheckedContinuation<Result<Void, any Error>, Never>?.none
                }
                lines[place]?.listeners[id] = nil
                return continuation
            }
            continuation?.resume(returning: .failure(CancellationError()))
        }
        try result.get()
    }

    private func opened(_ place: Place) {
        let listeners = lines.withLock { lines in
            lines[place]?.isOpen = true
            return lines[place].map { Array($0.listeners.values) } ?? []
        }
        for listener in listeners { listener.onOpen() }
    }

    private func forward(_ push: CKNotification, at place: Place) {
        let listeners = lines.withLock { lines in lines[place].map { Array($0.listeners.values) } ?? [] }
        for listener in listeners { listener.take(push) }
    }

    private func end(_ place: Place, _ result: Result<Void, any Error>) {
        let waiting = lines.withLock { lines in
            lines.removeValue(forKey: place).map { Array($0.waiting.values) } ?? []
        }
        for continuation in waiting { continuation.resume(returning: result) }
    }
}
