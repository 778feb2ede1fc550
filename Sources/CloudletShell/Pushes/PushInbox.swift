import Cloudlet
import Foundation
import Synchronization

/// Receives the pushes of a device from its creation until `stop`, and keeps them until they are read.
final class PushInbox: Sendable {
    /// A push and what the device does with it.
    typealias Arrived = (push: CKNotification, treatment: PushTreatment)

    private struct State {
        var arrived: [Arrived] = []
        var isConnected = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>
    /// The task that receives pushes; owned by this inbox, ended by `stop`.
    private let receiver: Mutex<Task<Void, Never>?>

    /// Starts to receive pushes. `treat` decides what the device does with a push when it arrives; `tell` is
    /// called with each push that is not withheld.
    init(
        _ container: CKContainer, treat: @escaping @Sendable (CKNotification) async -> PushTreatment,
        tell: @escaping @Sendable (CKNotification) -> Void
    ) {
        state = Mutex(State())
        receiver = Mutex(nil)
        let receiving = Task { [weak self] in
            let pushes = await container.pushes { [weak self] isConnected in
                self?.change { $0.isConnected = isConnected }
            }
            for await push in pushes {
                let treatment = await treat(push)
                self?.change { $0.arrived.append((push, treatment)) }
                if treatment.outcome != .withheld { tell(push) }
            }
        }
        receiver.withLock { $0 = receiving }
    }

    /// The number of unread pushes, without those that are withheld.
    var unreadCount: Int {
        state.withLock { $0.arrived.count { $0.treatment.outcome != .withheld } }
    }

    /// Waits until the connection is established. Returns whether it is; false if `limit` returns earlier, or
    /// if the task is cancelled. Without a limit, it waits until there is a connection.
    func waitUntilConnected(within limit: (@Sendable () async throws -> Void)?) async -> Bool {
        await wait(within: limit) { $0.isConnected }
        return state.withLock { $0.isConnected }
    }

    /// Returns the oldest unread push, waiting for one if necessary; nil if none has arrived when `limit`
    /// returns, or if the task is cancelled. Without a limit, it waits until one arrives.
    func next(within limit: (@Sendable () async throws -> Void)?) async -> Arrived? {
        await wait(within: limit) { !$0.arrived.isEmpty }
        return state.withLock { $0.arrived.isEmpty ? nil : $0.arrived.removeFirst() }
    }

    /// Ends the connection, as if the device were offline.
    func stop() async {
        let receiving = receiver.withLock { $0 }
        receiving?.cancel()
        await receiving?.value
    }

    private func change(_ work: (inout State) -> Void) {
        let woken = state.withLock { state in
            work(&state)
            defer { state.waiting.removeAll() }
            return state.waiting
        }
        for waiter in woken { waiter.resume() }
    }

    /// Returns when the condition is true or `limit` returns, or the task is cancelled.
    private func wait(
        within limit: (@Sendable () async throws -> Void)?, _ holds: @escaping @Sendable (State) -> Bool
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait(holds) }
            if let limit { group.addTask { try? await limit() } }
            await group.next()
            group.cancelAll()
        }
    }

    /// Returns when the condition is true, or the task is cancelled.
    private func wait(_ holds: @Sendable (State) -> Bool) async {
        while !Task.isCancelled {
            await withTaskCancellationHandler {
                await withCheckedContinuation { waiter in
                    let mustWait = state.withLock { state in
                        if holds(state) || Task.isCancelled { return false }
                        state.waiting.append(waiter)
                        return true
                    }
                    if !mustWait { waiter.resume() }
                }
            } onCancel: {
                change { _ in }
            }
            if state.withLock({ holds($0) }) { return }
        }
    }
}
