import Foundation
import RecordsWire

/// A signed-in client that repeats one kind of attack until the end of the measurement.
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

    /// The source address. Hostile clients share four addresses; the honest client has another one.
    private var source: String { "127.0.0.\(2 + number % 4)" }

    /// Attacks until `end`. Refused requests and closed connections do not stop it.
    func run(until end: Date) {
        var round = 0
        while Date() < end {
            do {
                try kind.attack(self, round)
            } catch {
                // The server refused the attack, as it should. The client tries again after a moment.
                Thread.sleep(forTimeInterval: 0.01)
            }
            round += 1
        }
    }

    // MARK: Helpers for attacks

    func link(timeoutSeconds: Int = 2) throws -> HostileLink {
        try HostileLink(address, from: source, timeoutSeconds: timeoutSeconds)
    }

    /// The request target of a call, with this client's credentials.
    func target(_ call: String) -> String {
        "/database/1/\(HostileWorld.container)/development/\(call)?\(credentials)"
    }

    /// The head of a POST request. `length` may differ from the body's length.
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

    /// Sends a request and returns its response.
    @discardableResult
    func post(_ target: String, _ body: String) throws -> String {
        let link = try link(timeoutSeconds: 20)
        try link.send(head(target, length: "\(body.utf8.count)") + body)
        return String(decoding: link.readAll(), as: UTF8.self)
    }

    /// Sends a call of the server.
    func post(_ call: some ServerCall) throws {
        let request = CloudRequest(call)
        guard case .bytes(let body) = request.body else { return }
        try post(request.target, String(decoding: body, as: UTF8.self))
    }

    @discardableResult
    func call(_ call: String, _ body: String) throws -> String { try post(target(call), body) }

    /// The string value of the first member `name` in a response.
    static func member(_ name: String, of answer: String) throws -> String {
        guard let start = answer.range(of: "\"\(name)\":\"") else {
            throw BenchmarkError("the answer has no member \(name)")
        }
        return String(answer[start.upperBound...].prefix { $0 != "\"" })
    }
}
