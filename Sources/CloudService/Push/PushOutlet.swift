// Owns what is needed of a connection to write pushes to it at once, without waking its task.

import Records
import Synchronization

/// A connection that takes pushes as they come, as long as it keeps up.
package protocol PushOutlet: Sendable {
    /// The same for connections whose writes are made on one thread.
    var lane: ObjectIdentifier { get }
    /// Does some work where writes are made.
    func run(_ work: @escaping @Sendable () -> Void)
    /// Writes a push, within `run` only. False when the connection does not keep up, or is gone.
    func write(_ push: QueuedPush) -> Bool
}

/// A push that skips the outbox of its device.
struct HandedPush: Sendable {
    let push: QueuedPush
    let device: PushToken
    let line: PushDesk.Line
}

extension PushDesk {
    /// How pushes get to a connection that is a stream. What changes is changed under the desk's lock.
    final class Line: Sendable {
        let connection: Int
        let outlet: any PushOutlet
        private let idle = Atomic(false)
        private let open = Atomic(true)

        /// Whether the connection waits, with nothing before what comes next.
        var isIdle: Bool {
            get { idle.load(ordering: .acquiring) }
            set { idle.store(newValue, ordering: .releasing) }
        }
        /// Whether the connection has not ended.
        var isOpen: Bool {
            get { open.load(ordering: .acquiring) }
            set { open.store(newValue, ordering: .releasing) }
        }

        init(connection: Int, outlet: any PushOutlet) {
            self.connection = connection
            self.outlet = outlet
        }
    }

    /// Writes pushes to their connections, together those that are written on one thread. What a connection
    /// does not take waits in the outbox of its device.
    func hand(_ pushes: [HandedPush]) {
        var lanes: [(outlet: any PushOutlet, pushes: [HandedPush])] = []
        for push in pushes {
            let outlet = push.line.outlet
            if let place = lanes.firstIndex(where: { $0.outlet.lane == outlet.lane }) {
                lanes[place].pushes.append(push)
            } else {
                lanes.append((outlet, [push]))
            }
        }
        for (outlet, pushes) in lanes { outlet.run { self.write(pushes) } }
    }

    private func write(_ batch: [HandedPush]) {
        // A connection that has ended meanwhile ends its answer on this thread, so not before this is done.
        let taken = batch.map { $0.line.isOpen && $0.line.outlet.write($0.push) }
        let now = seams.now()
        let woken = state.withLock { state in
            zip(batch, taken).compactMap { handed, isTaken -> Answer? in
                let device = handed.device
                if isTaken {
                    state.trace.add(.sent, handed.push.body, to: device.displayName, at: now)
                    return nil
                }
                let lost = state.outboxes[device.text, default: DeviceOutbox()]
                    .receive(handed.push, at: now, limits: limits)
                state.tell(lost, device.displayName, now)
                return state.wake(device)
            }
        }
        for answer in woken { answer.resume(returning: false) }
    }
}
