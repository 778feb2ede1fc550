#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Blocking sockets on the loopback address.
enum LoopbackSocket {
    /// Finds a free port for a server that cannot choose one itself. Another process may take the port before
    /// the server uses it.
    static func freePort() throws -> UInt16 {
        let (descriptor, port) = try open()
        close(descriptor)
        return port
    }

    /// Opens a socket that accepts connections.
    static func listening() throws -> (descriptor: Int32, port: UInt16) {
        let (descriptor, port) = try open()
        guard listen(descriptor, 1024) == 0 else { throw BenchmarkError("cannot listen: error \(errno)") }
        return (descriptor, port)
    }

    /// Accepts the next connection and sets TCP_NODELAY, so that writes are sent at once.
    static func connection(to descriptor: Int32) throws -> Int32 {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { throw BenchmarkError("cannot accept a connection: error \(errno)") }
        var yes: Int32 = 1
        setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        return connection
    }

    /// Waits for bytes and discards them. Returns false if the other side has closed the connection.
    static func receive(from connection: Int32) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            recv(connection, buffer.baseAddress, buffer.count, 0) > 0
        }
    }

    /// Shuts the socket down in both directions, which also wakes threads that wait on it.
    static func shut(_ descriptor: Int32) {
        #if canImport(Glibc)
        shutdown(descriptor, Int32(SHUT_RDWR))
        #else
        shutdown(descriptor, SHUT_RDWR)
        #endif
    }

    private static func open() throws -> (descriptor: Int32, port: UInt16) {
        #if canImport(Glibc)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
            }
        }
        guard result == 0 else { throw BenchmarkError("cannot find a free port: error \(errno)") }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }
}
