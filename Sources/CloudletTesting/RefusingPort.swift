public import Foundation

/// A reserved local port that refuses every connection, like the port of a stopped server.
///
/// Use it instead of the port of a stopped server, which the system may assign to another program. This port
/// stays reserved as long as the object exists.
public final class RefusingPort: Sendable {
    /// `http://127.0.0.1:PORT`.
    public let url: URL
    private let descriptor: CInt

    /// Reserves a free port.
    ///
    /// - Throws: The system's error if no port is free.
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
