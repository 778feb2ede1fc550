import Records
import Synchronization

/// Writes pushes to the connection of a stream.
package protocol PushWriter: Sendable {
    /// The event loop of the connection.
    var eventLoop: ObjectIdentifier { get }
    /// Runs work on the event loop.
    func execute(_ work: @escaping @Sendable () -> Void)
    /// Writes a push; must be called on the event loop. Returns false when the connection does not keep up,
    /// or has ended.
    func write(_ push: QueuedPush) -> Bool
}

extension PushHub {
    /// An open stream to which pushes are written without resuming its task, which saves a thread switch for
    /// each push.
    final class DirectStream: Sendable {
        let device: PushToken
        let connection: Int
        /// The device's slot in the table.
        let slot: Int
        let writer: any PushWriter
        let eventLoop: ObjectIdentifier

        init(device: PushToken, connection: Int, slot: Int, writer: any PushWriter) {
            self.device = device
            self.connection = connection
            self.slot = slot
            self.writer = writer
            eventLoop = writer.eventLoop
        }
    }

    /// Writes the outboxes of devices to their streams. All streams must belong to the same event loop.
    func write(to streams: [DirectStream]) {
        streams.first?.writer.execute { self.writeOnEventLoop(to: streams) }
    }

    /// Empties the outboxes in place of the streams' tasks. A push that a connection does not take goes back
    /// into the outbox, and the stream's task is resumed, which waits until the connection keeps up.
    ///
    /// A stream that has ended is in no slot any more. A stream that ends now does so on this event loop, and
    /// therefore later.
    private func writeOnEventLoop(to streams: [DirectStream]) {
        let now = runtime.now()
        let taken = state.withLock { state in state.take(for: streams, now, limits) }
        var (written, refused): ([StreamPush], [StreamPush]) = ([], [])
        for item in taken {
            // No push may overtake an earlier one of the same stream.
            if refused.last?.stream !== item.stream, item.stream.writer.write(item.push) {
                written.append(item)
            } else {
                refused.append(item)
            }
        }
        let waiters = state.withLock { state in
            for item in written {
                state.trace.add(.sent, item.push.body, to: item.stream.device.displayName, at: now)
            }
            // Each push goes to the front of the outbox, so the last one must go back first.
            return refused.reversed().compactMap { item -> Waiter? in
                state.takeBack([item.push], for: item.stream.device, now, limits)
                return state.devices.stopWaiting(item.stream.device)
            }
        }
        for waiter in waiters { waiter.resume(returning: false) }
    }

    /// A push and the stream to which it is written. The pushes of one stream are consecutive.
    fileprivate typealias StreamPush = (stream: DirectStream, push: QueuedPush)
}

extension PushHub.State {
    /// Takes the pushes that are due from the outboxes of waiting streams. Streams that do not wait take
    /// theirs themselves.
    fileprivate mutating func take(
        for streams: [PushHub.DirectStream], _ now: Timestamp, _ limits: Limits
    ) -> [PushHub.StreamPush] {
        var taken: [PushHub.StreamPush] = []
        taken.reserveCapacity(streams.count)
        for stream in streams {
            // The device may have been removed, and its slot reused for another device.
            let isCurrent =
                devices.slots[stream.slot].waitingStream === stream
                && devices.slots[stream.slot].outbox.connection == stream.connection
            if !isCurrent { continue }
            for push in take(.max, for: stream.device, at: stream.slot, now, limits) {
                taken.append((stream, push))
            }
        }
        return taken
    }
}
