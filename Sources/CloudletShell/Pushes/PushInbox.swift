import Cloudlet
import Foundation
import Synchronization

/// A device that takes pushes from when it is made until it is stopped, and keeps them until somebody looks.
final class PushInbox: Sendable {
    private struct State {
        var arrived: [CKNotification] = []
        var isConnected = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>
    /// Takes the pushes; owned here, ended by `stop`.
    private let receiver: Mutex<Task<Void, Never>?>

    /// Begins to take pushes; `tell` hears of each as it arrives.
    init(_ container: CKContainer, tell: @escaping @Sendable (CKNotification) -> Void) {
        state = Mutex(State())
        receiver = Mutex(nil)
        let receiving = Task { [weak self] in
            let pushes = container.pushes { [weak self] isConnected in
                self?.change { $0.isConnected = isConnected }
            }
            for await push in pushes {
                self?.change { $0.arrived.append(push) }
                tell(push)
            }
        }
        receiver.withLock { $0 = receiving }
    }

    /// How many pushes nobody has looked at.
    var unreadCount: Int { state.withLock { $0.arrived.count } }

    /// Waits until the connection stands.
    func connected() async {
        await wait { $0.isConnected }
    }

    /// The oldest push that nobody has looked at; waits for one.
    func next() async -> CKNotification? {
        await wait { !$0.arrived.isEmpty }
        return state.withLock { $0.arrived.isEmpty ? nil : $0.arrived.removeFirst() }
    }

    /// Ends the connection: the device is away.
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

    /// Returns when the condition holds, or the task is cancelled.
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
