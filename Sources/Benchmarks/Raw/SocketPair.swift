#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Two connected sockets in this process.
enum SocketPair {
    static func make() throws -> (Int32, Int32) {
        var ends: [Int32] = [0, 0]
        #if canImport(Glibc)
        let result = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        #else
        let result = socketpair(AF_UNIX, SOCK_STREAM, 0, &ends)
        #endif
        guard result == 0 else { throw BenchmarkError("cannot create a pair of sockets: error \(errno)") }
        return (ends[0], ends[1])
    }

    static func send(_ bytes: [UInt8], to end: Int32) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(end, $0.baseAddress, $0.count) }
            guard count > 0 else { throw BenchmarkError("sending to the socket failed: error \(errno)") }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads to the end and discards the bytes.
    static func drain(_ end: Int32) {
        var buffer = [UInt8](repeating: 0, count: 256 * 1024)
        while read(end, &buffer, buffer.count) > 0 {}
    }

    static func release(_ end: Int32) {
        close(end)
    }
}
