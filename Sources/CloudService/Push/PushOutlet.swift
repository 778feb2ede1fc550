// Owns the writing of pushes to connections that wait, without waking their tasks.

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

extension PushDesk {
    /// How pushes get to a device whose connection is a stream.
    struct Line: Sendable {
        let device: PushToken
        let connection: Int
        let outlet: any PushOutlet
    }

    /// Has the outboxes behind some lines written to their connections, together those that are written on
    /// one thread.
    func serve(_ lines: [Line]) {
        var lanes: [(outlet: any PushOutlet, lines: [Line])] = []
        for line in lines {
            if let place = lanes.firstIndex(where: { $0.outlet.lane == line.outlet.lane }) {
                lanes[place].lines.append(line)
            } else {
                lanes.append((line.outlet, [line]))
            }
        }
        for (outlet, lines) in lanes { outlet.run { self.write(lines) } }
    }

    /// Empties outboxes in the place of the tasks that wait for them. What a connection does not take goes
    /// back, and its task is woken, which waits until the connection takes it.
    ///
    /// A connection that has ended has no line any more; one that ends now ends its answer on this thread, so
    /// not before this is done.
    private func write(_ lines: [Line]) {
        let now = seams.now()
        let batches = state.withLock { state in lines.map { state.take(for: $0, at: now, limits: limits) } }
        let written = zip(lines, batches).map { line, pushes in
            pushes.prefix { line.outlet.write($0) }.count
        }
        let woken = state.withLock { state in
            zip(lines, zip(batches, written)).compactMap { line, batch -> Answer? in
                let (pushes, written) = batch
                for push in pushes.prefix(written) {
                    state.trace.add(.sent, push.body, to: line.device.displayName, at: now)
                }
                if written == pushes.count { return nil }
                state.takeBack(Array(pushes.dropFirst(written)), for: line.device, at: now, limits: limits)
                return state.wake(line.device)
            }
        }
        for answer in woken { answer.resume(returning: false) }
    }
}

extension PushDesk.State {
    /// The line to a device whose connection waits.
    func waitingLine(to device: PushToken) -> PushDesk.Line? {
        guard let line = lines[device.text], waiting[device.text]?.connection == line.connection else {
            return nil
        }
        return line
    }

    /// What is due for a device, as long as its connection waits; else its task takes it.
    fileprivate mutating func take(
        for line: PushDesk.Line, at now: Timestamp, limits: Limits
    ) -> [QueuedPush] {
        guard let present = waitingLine(to: line.device), present.connection == line.connection,
            var outbox = outboxes[line.device.text], outbox.connection == line.connection
        else { return [] }
        let (pushes, lost) = outbox.take(.max, at: now, limits: limits)
        outboxes[line.device.text] = outbox
        tell(lost, line.device.displayName, now)
        return pushes
    }
}
