import Foundation

/// The error for the other listeners when the listener that kept the connection for pushes was cancelled.
/// They listen again at once, and ask for changes, because pushes may have been lost meanwhile.
package struct PushConnectionHandover: Error {}

/// Lets all listeners of a device use one connection for pushes: the server sends the pushes of a device and
/// container to its latest connection only.
///
/// The first listener opens the connection and keeps it in its own task. If the connection breaks, `listen`
/// ends for all listeners. If that task is cancelled, `listen` throws `PushConnectionHandover` for the other
/// listeners: until one of them has opened a new connection, the server keeps only the latest push, so all of
/// them must then ask for changes.
final class PushSharing: Sendable {
    /// The properties by which the server identifies a device.
    struct Key: Hashable {
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

    private struct SharedConnection {
        /// All listeners, including the one that keeps the connection.
        var listeners: [Int: Listener]
        /// The listeners that wait for the end of the connection: all but the one that keeps it.
        var waiting: [Int: CheckedContinuation<Result<Void, any Error>, Never>] = [:]
        var isOpen = false
    }

    private let connections = Locked<[Key: SharedConnection]>([:])
    /// The number of the last listener.
    private let last = Locked(0)

    /// Receives pushes until the connection breaks.
    ///
    /// - Parameter connect: opens the connection and returns when it ends; called if there is none.
    /// - Throws: errors of `connect`, `CancellationError`, and `PushConnectionHandover`.
    func listen(
        at key: Key, _ listener: Listener, connect: (Listener) async throws -> Void
    ) async throws {
        if let id = join(key, listener) { return try await wait(at: key, id) }
        do {
            try await connect(
                Listener {
                    self.opened(key)
                } take: {
                    self.forward($0, at: key)
                })
            end(key, .success(()))
        } catch {
            let isCancelled = Task.isCancelled || error is CancellationError
            end(key, .failure(isCancelled ? PushConnectionHandover() : error))
            throw error
        }
    }

    /// Adds a listener, and returns its number. Returns nil if there is no connection, so that this listener
    /// must open it.
    private func join(_ key: Key, _ listener: Listener) -> Int? {
        let id = last.withLock { last in
            last += 1
            return last
        }
        let known: Bool? = connections.withLock { connections in
            let isOpen = connections[key]?.isOpen
            connections[key, default: SharedConnection(listeners: [:])].listeners[id] = listener
            return isOpen
        }
        guard let isOpen = known else { return nil }
        if isOpen { listener.onOpen() }
        return id
    }

    /// Waits for the end of a connection that another listener keeps.
    private func wait(at key: Key, _ id: Int) async throws {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now: Result<Void, any Error>? = connections.withLock { connections in
                    if Task.isCancelled {
                        connections[key]?.listeners[id] = nil
                        return .failure(CancellationError())
                    }
                    // The connection has ended since this listener joined.
                    if connections[key]?.listeners[id] == nil { return .failure(PushConnectionHandover()) }
                    connections[key]?.waiting[id] = continuation
                    return nil
                }
                if let now { continuation.resume(returning: now) }
            }
        } onCancel: {
            let continuation = connections.withLock { connections in
                guard let continuation = connections[key]?.waiting.removeValue(forKey: id) else {
                    return CheckedContinuation<Result<Void, any Error>, Never>?.none
                }
                connections[key]?.listeners[id] = nil
                return continuation
            }
            continuation?.resume(returning: .failure(CancellationError()))
        }
        try result.get()
    }

    private func opened(_ key: Key) {
        let listeners = connections.withLock { connections in
            connections[key]?.isOpen = true
            return connections[key].map { Array($0.listeners.values) } ?? []
        }
        for listener in listeners { listener.onOpen() }
    }

    private func forward(_ push: CKNotification, at key: Key) {
        let listeners = connections.withLock { connections in
            connections[key].map { Array($0.listeners.values) } ?? []
        }
        for listener in listeners { listener.take(push) }
    }

    private func end(_ key: Key, _ result: Result<Void, any Error>) {
        let waiting = connections.withLock { connections in
            connections.removeValue(forKey: key).map { Array($0.waiting.values) } ?? []
        }
        for continuation in waiting { continuation.resume(returning: result) }
    }
}
