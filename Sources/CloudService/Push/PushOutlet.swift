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

extension PushHub {
    /// How pushes get to a device whose connection is a stream.
    final class Line: Sendable {
        let device: PushToken
        let connection: Int
        let outlet: any PushOutlet
        let lane: ObjectIdentifier
        /// Of the device's place.
        let number: Int

        init(device: PushToken, connection: Int, outlet: any PushOutlet, number: Int) {
            self.device = device
            self.connection = connection
            self.outlet = outlet
            lane = outlet.lane
            self.number = number
        }
    }

    /// Has the outboxes behind some lines, which are written on one thread, written to their connections.
    func serve(_ lines: [Line]) {
        lines.first?.outlet.run { self.write(lines) }
    }

    /// Empties outboxes in the place of the tasks that wait for them. What a connection does not take goes
    /// back, and its task is woken, which waits until the connection takes it.
    ///
    /// A connection that has ended has no line any more; one that ends now ends its answer on this thread, so
    /// not before this is done.
    private func write(_ lines: [Line]) {
        let now = runtime.now()
        let ways = state.withLock { state in state.take(for: lines, now, limits) }
        var (written, late): ([Way], [Way]) = ([], [])
        for way in ways {
            // No push goes ahead of one that has to wait.
            if late.last?.line !== way.line, way.line.outlet.write(way.push) {
                written.append(way)
            } else {
                late.append(way)
            }
        }
        let woken = state.withLock { state in
            for way in written {
                state.trace.add(.sent, way.push.body, to: way.line.device.displayName, at: now)
            }
            // The last goes back first, and ends behind the others.
            return late.reversed().compactMap { way -> Answer? in
                state.takeBack([way.push], for: way.line.device, now, limits)
                return state.places.wake(way.line.device)
            }
        }
        for answer in woken { answer.resume(returning: false) }
    }

    /// A push and where it is to be written. Those of one line follow each other.
    fileprivate typealias Way = (line: Line, push: QueuedPush)
}

extension PushHub.State {
    /// What is due for devices, as long as their connections wait; else their tasks take it.
    fileprivate mutating func take(
        for lines: [PushHub.Line], _ now: Timestamp, _ limits: Limits
    ) -> [PushHub.Way] {
        var ways: [PushHub.Way] = []
        ways.reserveCapacity(lines.count)
        for line in lines {
            let number = line.number
            // The line may be that of a device which is forgotten, and the place another device's.
            let isPresent =
                places.all[number].waitingLine === line
                && places.all[number].outbox.connection == line.connection
            if !isPresent { continue }
            for push in take(.max, for: line.device, at: number, now, limits) { ways.append((line, push)) }
        }
        return ways
    }
}
