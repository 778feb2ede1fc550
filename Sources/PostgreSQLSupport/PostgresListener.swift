import Foundation
package import Records
import Synchronization

/// Receives the messages that other processes send to a channel of the database, on a connection and a thread
/// of its own.
///
/// A message is a short text. PostgreSQL delivers it after the sender's transaction was committed, to those
/// who listen at that moment. After a lost connection, the listener connects again; what was sent meanwhile
/// is lost, so it tells its owner.
package final class PostgresListener: Sendable {
    /// What a listener tells its owner, on its own thread.
    package enum Event {
        /// It listens now, for the first time or again. Earlier messages are lost.
        case listening(PostgresConnection)
        case message(String)
    }

    private struct State {
        var isListening = false
        var isClosed = false
        var hasEnded = false
        var closing: [CheckedContinuation<Void, Never>] = []
        var onChange: (@Sendable (_ isListening: Bool) -> Void)?
    }

    private let address: String
    private let channel: String
    private let prepare: @Sendable (PostgresConnection) throws -> Void
    private let handle: @Sendable (Event) throws -> Void
    private let state = Mutex(State())
    /// The two ends of a pipe that wakes the thread when the listener is closed.
    private let wakeUp: Int32
    private let waker: Int32

    /// The milliseconds between two attempts to connect.
    private static let pause: Int32 = 1000

    /// Connects and listens. Blocks the calling thread. Throws `RecordError` if that fails.
    ///
    /// - Parameters:
    ///   - channel: its messages are those of the same schema, so that the tables in other schemas of a
    ///     database have channels of their own.
    ///   - prepare: called for each connection before it listens. Its error has the effect of one that cannot
    ///     connect.
    ///   - handle: called for one event after the other. An error of it has the effect of a lost connection.
    package init(
        address: String, channel: String,
        prepare: @escaping @Sendable (PostgresConnection) throws -> Void = { _ in },
        _ handle: @escaping @Sendable (Event) throws -> Void
    ) throws {
        self.address = address
        self.channel = channel
        self.prepare = prepare
        self.handle = handle
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw RecordError(.tryAgainLater, "the process has too many open files", culprit: channel)
        }
        (wakeUp, waker) = (ends[0], ends[1])
        let first = try connect()
        // Only the thread uses it from now on.
        nonisolated(unsafe) let connection = first
        let thread = Thread { [self] in serve(connection) }
        thread.name = "postgres-\(channel)"
        thread.start()
    }

    deinit { for end in [wakeUp, waker] { Foundation.close(end) } }

    /// The error for a check of readiness while the connection does not work; nil if it does, as far as is
    /// known. One that is gone without a word is noticed some seconds later.
    package var obstacle: RecordError? {
        if state.withLock({ $0.isListening }) { return nil }
        return RecordError(
            .tryAgainLater, "the database engine does not answer", culprit: "storage",
            nextStep: "check that PostgreSQL runs and that this machine reaches it", retryAfter: 10)
    }

    /// Sets the code that runs, on the listener's thread, whenever the connection is lost or works again.
    package func onChange(_ work: @escaping @Sendable (_ isListening: Bool) -> Void) {
        state.withLock { $0.onChange = work }
    }

    /// Ends the thread and the connection.
    package func close() async {
        await withCheckedContinuation { closing in
            let hasEnded = state.withLock { state in
                state.isClosed = true
                if !state.hasEnded { state.closing.append(closing) }
                return state.hasEnded
            }
            if hasEnded { return closing.resume() }
            _ = write(waker, [0 as UInt8], 1)
        }
    }

    private func connect() throws -> PostgresConnection {
        let connection = try PostgresConnection(address)
        try prepare(connection)
        try connection.execute("LISTEN \"\(try connection.name(ofChannel: channel))\"")
        try handle(.listening(connection))
        note(isListening: true)
        return connection
    }

    private func serve(_ first: PostgresConnection) {
        var connection: PostgresConnection? = first
        while !state.withLock({ $0.isClosed }) {
            guard let open = try? connection ?? connect() else {
                wait()
                continue
            }
            connection = nil
            try? open.receiveMessages(until: wakeUp) {
                try handle(.message($0))
            }
            note(isListening: false)
        }
        let closing = state.withLock { state in
            state.hasEnded = true
            return state.closing
        }
        for closing in closing { closing.resume() }
    }

    private func note(isListening: Bool) {
        let work = state.withLock { state in
            state.isListening = isListening
            return state.isClosed ? nil : state.onChange
        }
        work?(isListening)
    }

    /// Waits before the next attempt to connect, or until the listener is closed.
    private func wait() {
        var ending = pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)
        poll(&ending, 1, Self.pause)
    }
}

extension PostgresConnection {
    /// The full name of a channel: that of this connection's schema.
    fileprivate func name(ofChannel channel: String) throws -> String {
        let name = try run("SELECT \(Self.fullName(ofChannel: "$1"))", [.text(channel)]).first?.text(0) ?? ""
        recover()
        return name
    }

    /// Sends a message to the listeners of a channel. In a transaction, it is sent with the commit.
    package func notify(_ channel: String, _ message: String) throws {
        try send(
            "SELECT pg_notify(\(Self.fullName(ofChannel: "$1")), $2)", [.text(channel), .text(message)])
    }

    /// A name has at most 63 bytes, and a quote in it would end it.
    private static func fullName(ofChannel channel: String) -> String {
        "\(channel) || '_' || md5(current_schema())"
    }
}
