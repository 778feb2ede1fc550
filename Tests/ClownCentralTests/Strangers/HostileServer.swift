import Foundation
import Synchronization
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// A server that answers every request with a given text and stores the heads of the requests.
final class HostileServer: Sendable {
    let port: UInt16
    private let listener: Int32
    private let status: Int
    private let body: @Sendable (_ request: String) -> String
    private let requests = Mutex<[String]>([])

    var address: String { "http://127.0.0.1:\(port)" }

    /// The heads of the requests so far.
    var heads: [String] { requests.withLock { $0 } }

    /// Whether any request had a key or a token.
    var receivedCredential: Bool {
        heads.contains { $0.lowercased().contains("bearer") || $0.contains("oken=") }
    }

    convenience init(status: Int = 200, body: String) throws {
        try self.init(status: status) { _ in body }
    }

    init(
        status: Int = 200,
        body: @escaping @Sendable (_ request: String) -> String = { HostileServer.everything($0) }
    ) throws {
        self.status = status
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
        while true {
            let connection = accept(listener, nil, nil)
            if connection < 0 { break }
            let request = Self.request(from: connection)
            requests.withLock { $0.append(request) }
            let bytes = Array(answer(to: request).utf8)
            _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            close(connection)
        }
        close(listener)
    }

    private func answer(to request: String) -> String {
        let body = body(request)
        return "HTTP/1.1 \(status) X\r\nContent-Type: application/json\r\nConnection: close\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
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

    /// An answer to any call of the operator, in which every free text is hostile.
    static func everything(_ request: String) -> String {
        let keys = [
            "name", "email", "phone", "givenName", "familyName", "id", "container", "label",
            "userRecordName", "callback", "token", "text", "schema", "person", "explanation", "role",
            "reason",
            "mended",
        ]
        let text = "\"\(HostileText.json)\""
        let texts = keys.map { "\"\($0)\":\(text)" }.joined(separator: ",")
        let words = #""status":"available","environment":"development","kind":"added""#
        let numbers = ["createdAt", "revokedAt", "users", "privateBytes", "records"]
            .map { "\"\($0)\":1700000000000" }.joined(separator: ",")
        let flags = ["hasPassword", "isMember", "isMended", "changed"].map { "\"\($0)\":true" }
            .joined(separator: ",")
        let members =
            "\(texts),\(words),\(numbers),\(flags),\"allowedOrigins\":[\(text)],\"warnings\":[\(text)],"
            + "\"fields\":[],\"grants\":[],\"members\":[{\(texts)}]"
        let lists = ["people", "roles", "tokens", "keys", "differences", "types", "gaps"]
            .map { "\"\($0)\":[{\(members)}]" }.joined(separator: ",")
        let contents = #"{"privateDatabases":1,"bytes":2,"publicRecordBytes":3,"publicAssetBytes":4}"#
        // The containers of a person are an object, those of a server a list.
        let isPerson = request.hasPrefix("GET /operator/1/people/")
        let containers = isPerson ? "{\(text):\(text)}" : "[{\(members)}]"
        return "{\(members),\(lists),\"containers\":\(containers),\"development\":\(contents),"
            + "\"production\":\(contents)}"
    }
}
