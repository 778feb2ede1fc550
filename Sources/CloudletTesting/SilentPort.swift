// An address where nobody answers, and nobody else can begin to while a test runs.

public import Foundation

/// A port of this machine that is taken and refuses every connection, as if a server had just stopped.
///
/// A server that was started and stopped again leaves a port that the next server may be given; this one
/// stays taken, and silent, as long as the value lives.
public final class SilentPort: Sendable {
    /// `http://127.0.0.1:PORT`.
    public let url: URL
    private let descriptor: CInt

    /// - Throws: the system's error if no port is to be had.
    public init() throws {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EMFILE) }
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, size) == 0 && getsockname(descriptor, address, &size) == 0
            }
        }
        guard bound, let url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))") else {
            throw POSIXError(.init(rawValue: errno) ?? .EADDRNOTAVAIL)
        }
        self.url = url
    }

    deinit {
        close(descriptor)
    }
}
