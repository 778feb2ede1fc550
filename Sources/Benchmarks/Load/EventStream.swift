#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A plain socket, and how many events have come on it. An event is known by a mark that each has once.
final class EventStream {
    let descriptor: Int32
    private let link: LoadConnection
    private let mark: [UInt8]
    /// What may be the beginning of a mark.
    private var rest: [UInt8] = []
    private(set) var events = 0
    /// Bytes that have come since the beginning.
    private(set) var bytes = 0
    /// All that has come until the first event was asked for.
    private(set) var beginning: [UInt8] = []
    private var keepsBeginning = true
    private var buffer = [UInt8](repeating: 0, count: 4096)

    /// Connects and asks for events.
    ///
    /// - Parameter place: where it comes from, see `LoadConnection`.
    init(_ address: HTTPAddress, _ request: LoadRequest, mark: String, from place: Int? = nil) throws {
        link = try LoadConnection(address, from: place)
        descriptor = link.descriptor
        self.mark = Array(mark.utf8)
        try link.begin(request, keepsBody: false)
        delayAcknowledgements()
    }

    /// Has the system put off its word to the sender that a packet has come, as it does on the way to a
    /// device: sender and receiver share their processors here, and the time would be the measured server's.
    private func delayAcknowledgements() {
        #if os(Linux)
        var no: Int32 = 0
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_QUICKACK, &no, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    /// Waits until the beginning holds some text.
    func waitForBeginning(_ text: String) throws {
        let wanted = Array(text.utf8)
        var polls = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        while Self.place(of: wanted, in: beginning) == nil {
            guard poll(&polls, 1, 60_000) > 0 else { throw BenchmarkError("the stream did not begin") }
            _ = try read()
        }
        keepsBeginning = false
    }

    /// Takes what has come; answers how many events that were.
    func read() throws -> Int {
        let before = events
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0 {
                if errno == EINTR { continue }
                if errno == EAGAIN || errno == EWOULDBLOCK { return events - before }
                throw BenchmarkError("the stream broke: error \(errno)")
            }
            if count == 0 { throw BenchmarkError("the server ended the stream") }
            if keepsBeginning { beginning += buffer[..<count] } else { bytes += count }
            countEvents(in: buffer[..<count])
            // Nothing is left then, and what comes makes the socket ready again.
            if count < buffer.count { return events - before }
        }
    }

    private func countEvents(in bytes: ArraySlice<UInt8>) {
        rest += bytes
        var start = 0
        while let place = Self.place(of: mark, in: rest, from: start) {
            events += 1
            start = place + mark.count
        }
        // The beginning of a mark may be the end of what has come.
        rest.removeFirst(max(start, rest.count - mark.count + 1))
    }

    private static func place(of mark: [UInt8], in bytes: [UInt8], from start: Int = 0) -> Int? {
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            var place = start
            while place + mark.count <= bytes.count {
                let left = bytes.count - mark.count + 1 - place
                guard let found = memchr(base + place, Int32(mark[0]), left) else { return nil }
                place = UnsafeRawPointer(found) - base
                if memcmp(found, mark, mark.count) == 0 { return place }
                place += 1
            }
            return nil
        }
    }
}

/// Many streams that are waited on together, by one thread.
struct EventStreams {
    let all: [EventStream]
    private let watch: SocketWatch

    init(_ all: [EventStream]) throws {
        self.all = all
        watch = try SocketWatch(all.map(\.descriptor), tellsOnce: true)
    }

    /// How many bytes an event takes, with what is around it.
    var bytesPerEvent: Int {
        let events = all.reduce(0) { $0 + $1.events }
        return events == 0 ? 0 : all.reduce(0) { $0 + $1.bytes } / events
    }

    /// Reads until each has so many events in all, and tells when each of them came.
    func wait(for events: Int, _ arrived: () -> Void) throws {
        var open = all.filter { $0.events < events }.count
        while open > 0 {
            try watch.wait { place in
                let stream = all[place]
                let was = stream.events
                for _ in 0..<(try stream.read()) { arrived() }
                if was < events, stream.events >= events { open -= 1 }
            }
        }
    }
}
