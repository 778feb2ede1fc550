@testable import TestKit

extension StubServer {
    /// A server with an answer to any call of the operator, in which every free text is hostile.
    static func hostile() throws -> StubServer { try StubServer { everything($0) } }

    /// Whether any request had a key or a token.
    var receivedCredential: Bool {
        received.contains { $0.lowercased().contains("bearer") || $0.contains("oken=") }
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
