#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A blocking socket that sends any bytes and reads no more of the response than asked.
final class HostileLink {
    private let descriptor: Int32

    /// - Parameters:
    ///   - source: The loopback address to connect from.
    ///   - timeoutSeconds: The timeout of sending and reading, in seconds.
    init(_ address: HTTPAddress, from source: String, timeoutSeconds: Int = 2) throws {
        descriptor = socket(AF_INET, HTTPAddress.streamType, 0)
        guard descriptor >= 0 else { throw BenchmarkError("cannot create a socket: error \(errno)") }
        var time = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
        // Only Linux accepts all of 127.0.0.0/8 without configuration.
        #if os(Linux)
        try HTTPAddress(host: source, port: 0).use { bind(descriptor, $0, $1) }
        #endif
        try address.use { connect(descriptor, $0, $1) }
    }

    deinit { close(descriptor) }

    /// Sends all bytes. Throws if the server accepts no more.
    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                bytes.baseAddress.map { Self.write(descriptor, $0 + sent, bytes.count - sent) } ?? 0
            }
            guard count > 0 else { throw BenchmarkError("the server does not accept more bytes") }
            sent += count
        }
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// Reads up to `count` bytes; nil if none arrive within the timeout.
    func read(atMost count: Int = 65_536) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = bytes.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, count, 0) }
        return got > 0 ? Array(bytes.prefix(got)) : nil
    }

    /// Reads until the server closes the connection or no bytes arrive within the timeout.
    func readAll() -> [UInt8] {
        var all: [UInt8] = []
        while let bytes = read() { all += bytes }
        return all
    }

    private static func write(_ descriptor: Int32, _ start: UnsafeRawPointer, _ count: Int) -> Int {
        #if canImport(Darwin)
        Darwin.send(descriptor, start, count, 0)
        #elseif canImport(Glibc)
        Glibc.send(descriptor, start, count, Int32(MSG_NOSIGNAL))
        #else
        Musl.send(descriptor, start, count, MSG_NOSIGNAL)
        #endif
    }
}
