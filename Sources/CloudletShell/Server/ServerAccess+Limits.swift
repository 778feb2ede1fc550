import Cloudlet
import CommandShell
import Foundation

/// What a server says of itself to everybody.
struct ServerFacts: Decodable, Sendable {
    /// How many requests may come in a time.
    struct Rate: Decodable, Sendable {
        let requests: Int
        let seconds: Int
    }

    private struct Release: Decodable {
        let name: String
        let version: String
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// `Cloudlet 0.1.0`; nothing of a server that does not say.
    let release: String?
    /// By name; those whose names end in `Bytes` are lengths.
    let limits: [String: Int]
    /// By whom they bind: a person, the app, the container.
    let rates: [String: Rate]
    /// What databases may take up; empty where nothing is limited.
    let quota: [String: Int]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let server = try container.decodeIfPresent(Release.self, forKey: Key(stringValue: "server"))
        release = server.map { "\($0.name) \($0.version)" }
        rates =
            try container.decodeIfPresent([String: Rate].self, forKey: Key(stringValue: "requestRates"))
            ?? [:]
        quota = try container.decodeIfPresent([String: Int].self, forKey: Key(stringValue: "quota")) ?? [:]
        var limits: [String: Int] = [:]
        for key in container.allKeys {
            limits[key.stringValue] = try? container.decode(Int.self, forKey: key)
        }
        self.limits = limits
    }

    /// A limit in the form in which it is shown.
    func value(of limit: String) -> Value {
        guard let number = limits[limit] else { return .missing }
        return limit.hasSuffix("Bytes") ? .bytes(number) : .count(number)
    }
}

extension ServerAccess {
    /// What the server publishes; nothing of one that publishes nothing.
    func facts() async throws -> ServerFacts? {
        let response = try await transport.send(CloudRequest(.get, "/limits"))
        guard response.status == 200 else { return nil }
        return try? JSONDecoder().decode(ServerFacts.self, from: Data(response.bytes))
    }
}
