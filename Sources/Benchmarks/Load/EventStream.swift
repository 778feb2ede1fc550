#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A socket that counts the events it receives. Each event contains `mark` exactly once.
final class EventStream {
    let descriptor: Int32
    private let link: LoadConnection
    private let mark: [UInt8]
    /// The last received bytes, which may be the beginning of a mark.
    private var rest: [UInt8] = []
    private(set) var events = 0
    /// The number of bytes received after `beginning`.
    private(set) var bytes = 0
    /// The bytes received until `waitForBeginning` has returned.
    private(set) var beginning: [UInt8] = []
    private var keepsBeginning = true
    private var buffer = [UInt8](repeating: 0, count: 4096)

    /// Connects and sends the request for events.
    ///
    /// - Parameter source: The number of the source address, see `LoadConnection`.
    init(_ address: HTTPAddress, _ request: LoadRequest, mark: String, from source: Int? = nil) throws {
        link = try LoadConnection(address, from: source)
        descriptor = link.descriptor
        self.mark = Array(mark.utf8)
        try link.begin(request, keepsBody: false)
        delayAcknowledgements()
    }

    /// Delays TCP acknowledgements, as they are on the way to a device. Sender and receiver share processors
    /// here, so immediate acknowledgements would take processor time from the measured server.
    private func delayAcknowledgements() {
        #if os(Linux)
        var no: Int32 = 0
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_QUICKACK, &no, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    /// Reads until the received bytes contain a text.
    func waitForBeginning(_ text: String) throws {
        let wanted = Array(text.utf8)
        var polls = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        while Self.offset(of: wanted, in: beginning) == nil {
            guard poll(&polls, 1, 60_000) > 0 else {
                throw BenchmarkError("the stream did not begin within a minute")
            }
            _ = try read()
        }
        keepsBeginning = false
    }

    /// Reads the available bytes and returns the number of events in them.
    func read() throws -> Int {
        let before = events
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0 {
                if errno == EINTR { continue }
                if errno == EAGAIN || errno == EWOULDBLOCK { return events - before }
                throw BenchmarkError("reading the stream failed: error \(errno)")
            }
            if count == 0 { throw BenchmarkError("the server ended the stream") }
            if keepsBeginning { beginning += buffer[..<count] } else { bytes += count }
            countEvents(in: buffer[..<count])
            // The socket is empty now; new bytes make it ready again.
            if count < buffer.count { return events - before }
        }
    }

    private func countEvents(in bytes: ArraySlice<UInt8>) {
        rest += bytes
        var start = 0
        while let offset = Self.offset(of: mark, in: rest, from: start) {
            events += 1
            start = offset + mark.count
        }
        // Keeps the last bytes, which may be the beginning of a mark.
        rest.removeFirst(max(start, rest.count - mark.count + 1))
    }

    private static func offset(of mark: [UInt8], in bytes: [UInt8], from start: Int = 0) -> Int? {
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            var offset = start
            while offset + mark.count <= bytes.count {
                let left = bytes.count - mark.count + 1 - offset
                guard let found = memchr(base + offset, Int32(mark[0]), left) else { return nil }
                offset = UnsafeRawPointer(found) - base
                if memcmp(found, mark, mark.count) == 0 { return offset }
                offset += 1
            }
            return nil
        }
    }
}

/// Many streams that one thread waits for.
struct EventStreams {
    let all: [EventStream]
    private let watch: SocketWatch

    init(_ all: [EventStream]) throws {
        self.all = all
        watch = try SocketWatch(all.map(\.descriptor), tellsOnce: true)
    }

    /// The average number of bytes per event, including its framing.
    var bytesPerEvent: Int {
        let events = all.reduce(0) { $0 + $1.events }
        return events == 0 ? 0 : all.reduce(0) { $0 + $1.bytes } / events
    }

    /// Reads until each stream has received `events` events in all, and calls `arrived` for each event.
    func wait(for events: Int, _ arrived: () -> Void) throws {
        var open = all.filter { $0.events < events }.count
        while open > 0 {
            try watch.wait { index in
                let stream = all[index]
                let was = stream.events
                for _ in 0..<(try stream.read()) { arrived() }
                if was < events, stream.events >= events { open -= 1 }
            }
        }
    }
}
