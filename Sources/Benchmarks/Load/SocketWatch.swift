#if canImport(Glibc)
import CEpoll
import Glibc
#elseif canImport(Musl)
import CEpoll
import Musl
#else
import Darwin
#endif

/// Waits for sockets that can be read, or written if that was requested. On Linux its cost does not depend on
/// the number of sockets.
final class SocketWatch {
    private static let timeoutMilliseconds: Int32 = 60_000

    #if os(Linux)
    private let descriptor: Int32
    private let tellsOnce: Bool
    private let descriptors: [Int32]
    private var writing: [Bool]
    private var events: [epoll_event]

    /// - Parameter tellsOnce: Whether readiness is reported once per arrival (edge-triggered). The receiver
    ///   must then read all bytes.
    init(_ descriptors: [Int32], tellsOnce: Bool = false) throws {
        self.descriptors = descriptors
        self.tellsOnce = tellsOnce
        descriptor = epoll_create1(0)
        guard descriptor >= 0 else { throw BenchmarkError("cannot create an epoll instance: error \(errno)") }
        writing = Array(repeating: false, count: descriptors.count)
        events = Array(repeating: epoll_event(), count: max(descriptors.count, 1))
        for index in descriptors.indices { try change(EPOLL_CTL_ADD, index) }
    }

    deinit {
        close(descriptor)
    }

    /// Sets whether a socket is also watched for writing.
    func setWriting(_ index: Int, _ wants: Bool) throws {
        if writing[index] == wants { return }
        writing[index] = wants
        try change(EPOLL_CTL_MOD, index)
    }

    /// Waits until a socket is ready and calls `body` with the index of each ready socket.
    func wait(_ body: (Int) throws -> Void) throws {
        let count = epoll_wait(descriptor, &events, Int32(events.count), Self.timeoutMilliseconds)
        guard count > 0 else { throw BenchmarkError("no answer within a minute") }
        for event in events[..<Int(count)] {
            try body(Int(event.data.u32))
            // The end of a stream is reported together with its last bytes; a second read finds it.
            if tellsOnce, event.events & EPOLLRDHUP.rawValue != 0 { try body(Int(event.data.u32)) }
        }
    }

    private func change(_ operation: Int32, _ index: Int) throws {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue | (writing[index] ? EPOLLOUT.rawValue : 0)
        if tellsOnce { event.events |= EPOLLET.rawValue | EPOLLRDHUP.rawValue }
        event.data.u32 = UInt32(index)
        guard epoll_ctl(descriptor, operation, descriptors[index], &event) == 0 else {
            throw BenchmarkError("a socket cannot be watched: error \(errno)")
        }
    }
    #else
    private var polls: [pollfd]

    init(_ descriptors: [Int32], tellsOnce: Bool = false) throws {
        polls = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    }

    func setWriting(_ index: Int, _ wants: Bool) throws {
        polls[index].events = Int16(POLLIN) | (wants ? Int16(POLLOUT) : 0)
    }

    func wait(_ body: (Int) throws -> Void) throws {
        guard poll(&polls, nfds_t(polls.count), Self.timeoutMilliseconds) > 0 else {
            throw BenchmarkError("no answer within a minute")
        }
        for index in polls.indices where polls[index].revents != 0 { try body(index) }
    }
    #endif
}
