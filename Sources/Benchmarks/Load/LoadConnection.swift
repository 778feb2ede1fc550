#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A socket with the unsent part of a request and the state of its response.
final class LoadConnection {
    let descriptor: Int32
    private var pieces: ArraySlice<[UInt8]> = []
    /// The number of bytes of the first piece that are sent.
    private var sent = 0
    private(set) var scanner = ResponseScanner(keepsBody: false)
    private(set) var stopwatch = Stopwatch()

    /// - Parameter number: The number of a loopback source address, so that clients have different addresses
    ///   as real ones do; nil: the usual address. It has an effect on Linux only.
    init(_ address: HTTPAddress, from number: Int? = nil) throws {
        descriptor = socket(AF_INET, HTTPAddress.streamType, 0)
        guard descriptor >= 0 else { throw BenchmarkError("cannot create a socket: error \(errno)") }
        #if os(Linux)
        if let number {
            let source = HTTPAddress(host: "127.1.\(number / 250).\(number % 250 + 1)", port: 0)
            try source.use { bind(descriptor, $0, $1) }
        }
        #endif
        try address.use { connect(descriptor, $0, $1) }
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    deinit {
        close(descriptor)
    }

    var wantsToWrite: Bool { !pieces.isEmpty }

    func begin(_ request: LoadRequest, keepsBody: Bool) throws {
        pieces = request.pieces[...]
        sent = 0
        scanner = ResponseScanner(keepsBody: keepsBody)
        stopwatch = Stopwatch()
        try write()
    }

    /// Sends until the socket's buffer is full.
    func write() throws {
        while let piece = pieces.first {
            let count = piece.withUnsafeBytes { bytes in
                bytes.baseAddress.map { send(descriptor, $0 + sent, bytes.count - sent, Self.noSignal) } ?? 0
            }
            if count < 0 {
                if errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR { return }
                throw BenchmarkError("sending failed: error \(errno)")
            }
            sent += count
            if sent == piece.count {
                pieces = pieces.dropFirst()
                sent = 0
            }
        }
    }

    /// Reads the available bytes. Returns true if the response is complete.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Bool {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count < 0 {
                if errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR { return false }
                throw BenchmarkError("reading failed: error \(errno)")
            }
            if count == 0 { throw BenchmarkError("the server closed the connection") }
            if try scanner.scan(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { return true }
        }
    }

    #if canImport(Glibc)
    private static let noSignal = Int32(MSG_NOSIGNAL)
    #elseif canImport(Musl)
    private static let noSignal = MSG_NOSIGNAL
    #else
    private static let noSignal: Int32 = 0
    #endif
}
