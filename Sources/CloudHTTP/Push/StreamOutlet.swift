// Owns the writing of pushes to a connection from outside of the task that serves it.

import CloudService
import NIOCore
import NIOHTTPTypes

/// Writes pushes as pieces of an answer that has begun.
struct StreamOutlet: PushOutlet {
    let channel: any Channel
    /// What a push looks like in the answer.
    let line: @Sendable (QueuedPush) -> ByteBuffer

    var lane: ObjectIdentifier { ObjectIdentifier(channel.eventLoop) }

    func run(_ work: @escaping @Sendable () -> Void) {
        channel.eventLoop.execute(work)
    }

    func write(_ push: QueuedPush) -> Bool {
        // A connection that does not keep up is left to its task, which waits until it does.
        guard channel.isActive, channel.isWritable else { return false }
        channel.writeAndFlush(HTTPResponsePart.body(line(push)), promise: nil)
        return true
    }
}
