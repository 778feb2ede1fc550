import Foundation
import Synchronization
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// A server on the loopback address that stores the requests. It answers each with the text that a closure
/// returns, or leaves it without an answer.
final class StubServer: Sendable {
    let port: UInt16
    private let listener: Int32
    private let status: Int
    private let headers: [String]
    /// Whether each answer lacks its last byte, and its connection stays open.
    private let isStuck: Bool
    private let body: @Sendable (_ request: String) -> String?
    private let requests = Mutex<[String]>([])

    var address: String { "http://127.0.0.1:\(port)" }

    /// The requests so far.
    var received: [String] { requests.withLock { $0 } }

    convenience init(
        status: Int = 200, headers: [String] = [], isStuck: Bool = false, body: String
    ) throws {
        try self.init(status: status, headers: headers, isStuck: isStuck) { _ in body }
    }

    /// Starts the server. It leaves a request for which `body` returns nil without an answer, and its
    /// connection open.
    init(
        status: Int = 200, headers: [String] = [], isStuck: Bool = false,
        body: @escaping @Sendable (_ request: String) -> String?
    ) throws {
        self.status = status
        self.headers = headers
        self.isStuck = isStuck
        self.body = body
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let isBound = withUnsafeMutablePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        port = UInt16(bigEndian: place.sin_port)
        try #require(isBound)
        Thread.detachNewThread { [self] in serve() }
    }

    /// Stops the server. Its thread ends with the next `accept`.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func serve() {
        var unanswered: [Int32] = []
        while true {
            let connection = accept(listener, nil, nil)
            if connection < 0 { break }
            let request = Self.request(from: connection)
            requests.withLock { $0.append(request) }
            guard let body = body(request) else {
                unanswered.append(connection)
                continue
            }
            let bytes = Array(answer(body).utf8)
            _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            if isStuck { unanswered.append(connection) } else { close(connection) }
        }
        for connection in unanswered { close(connection) }
        close(listener)
    }

    private func answer(_ body: String) -> String {
        let lines =
            ["HTTP/1.1 \(status) X", "Content-Type: application/json", "Connection: close"] + headers
            + ["Content-Length: \(body.utf8.count + (isStuck ? 1 : 0))"]
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    private static func request(from connection: Int32) -> String {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n") {
                let length = text.lowercased().firstMatch(of: /content-length: (\d+)/).flatMap {
                    Int($0.output.1)
                }
                if text[end.upperBound...].utf8.count >= length ?? 0 { return text }
            }
            let count = recv(connection, &piece, piece.count, 0)
            if count <= 0 { return text }
            bytes += piece[..<count]
        }
    }
}
