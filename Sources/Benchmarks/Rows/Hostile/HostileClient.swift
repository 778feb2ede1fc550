import Foundation
import RecordsWire

/// A signed-in person who sends requests of one kind, one after the other, until the time is over.
final class HostileClient: Sendable {
    let kind: HostileKind
    let number: Int
    private let address: HTTPAddress
    private let credentials: String

    init(_ kind: HostileKind, number: Int, at address: HTTPAddress, credentials: String) {
        self.kind = kind
        self.number = number
        self.address = address
        self.credentials = credentials
    }

    /// Hostile clients share four addresses, and the honest one has an address of its own.
    private var source: String { "127.0.0.\(2 + number % 4)" }

    /// Goes on until `end`. That the server refuses, or closes the connection, is no reason to stop.
    func run(until end: Date) {
        var round = 0
        while Date() < end {
            do {
                try kind.attack(self, round)
            } catch {
                // As intended. Whoever is thrown out at once comes back after a moment.
                Thread.sleep(forTimeInterval: 0.01)
            }
            round += 1
        }
    }

    // MARK: What kinds use

    func link(patience: Int = 2) throws -> HostileLink {
        try HostileLink(address, from: source, patience: patience)
    }

    /// The target of a call, with this person's credentials.
    func target(_ call: String) -> String {
        "/database/1/\(HostileWorld.container)/development/\(call)?\(credentials)"
    }

    /// The head of a request.
    func head(_ target: String, length: String, type: String = "application/json") -> String {
        """
        POST \(target) HTTP/1.1\r
        Host: \(address.host):\(address.port)\r
        Content-Type: \(type)\r
        Connection: close\r
        Content-Length: \(length)\r
        \r

        """
    }

    /// Sends a request and reads its answer.
    @discardableResult
    func post(_ target: String, _ body: String) throws -> String {
        let link = try link(patience: 20)
        try link.send(head(target, length: "\(body.utf8.count)") + body)
        return String(decoding: link.readAll(), as: UTF8.self)
    }

    /// Makes a call of the server itself.
    func post(_ call: some ServerCall) throws {
        let request = CloudRequest(call)
        guard case .bytes(let body) = request.body else { return }
        try post(request.target, String(decoding: body, as: UTF8.self))
    }

    @discardableResult
    func call(_ call: String, _ body: String) throws -> String { try post(target(call), body) }

    /// The value of the first member of that name in an answer.
    static func member(_ name: String, of answer: String) throws -> String {
        guard let start = answer.range(of: "\"\(name)\":\"") else { throw BenchmarkError("no \(name)") }
        return String(answer[start.upperBound...].prefix { $0 != "\"" })
    }
}
