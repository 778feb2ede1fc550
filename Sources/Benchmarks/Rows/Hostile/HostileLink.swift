#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A blocking socket that sends whatever bytes it is given and reads as much of the answer as it is told to.
final class HostileLink {
    private let descriptor: Int32

    /// - Parameters:
    ///   - source: the address of this machine that the connection comes from.
    ///   - patience: seconds after which sending or reading gives up.
    init(_ address: HTTPAddress, from source: String, patience: Int = 2) throws {
        descriptor = socket(AF_INET, HTTPAddress.streamType, 0)
        guard descriptor >= 0 else { throw BenchmarkError("no socket: error \(errno)") }
        var time = timeval(tv_sec: patience, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
        // Only Linux has all of 127.0.0.0/8 without being told to.
        #if os(Linux)
        try HTTPAddress(host: source, port: 0).use { bind(descriptor, $0, $1) }
        #endif
        try address.use { connect(descriptor, $0, $1) }
    }

    deinit { close(descriptor) }

    /// Sends all bytes. Throws when the server takes no more of them.
    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                bytes.baseAddress.map { Self.write(descriptor, $0 + sent, bytes.count - sent) } ?? 0
            }
            guard count > 0 else { throw BenchmarkError("the server takes no more") }
            sent += count
        }
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// Reads up to so many bytes of what has come, or comes within the patience; nil when nothing does.
    func read(atMost count: Int = 65_536) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = bytes.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, count, 0) }
        return got > 0 ? Array(bytes.prefix(got)) : nil
    }

    /// Reads until the server closes the connection or has nothing more to say.
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
