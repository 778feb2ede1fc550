@testable import TestKit

extension ServerWorld {
    /// Imports a schema into development.
    @discardableResult
    func importSchema(_ text: String) async throws -> Reply {
        try await schema("import", ["schema": .string(text)])
    }

    /// Sends a call about the development schema.
    @discardableResult
    func schema(_ call: String, _ body: JSON = [:]) async throws -> Reply {
        try await operate("POST", "containers/iCloud.test/development/schema/\(call)", body)
    }

    /// The schema of an environment as text.
    func exported(_ environment: String = "development") async throws -> String {
        let reply = try await operate("GET", "containers/iCloud.test/\(environment)/schema")
        return reply.json["schema"].text ?? reply.failure
    }

    /// Adds a person to a role, or removes the person: `verb` is `grant` or `revoke`.
    @discardableResult
    func role(
        _ verb: String, _ role: String, _ person: String, environment: String = "development"
    ) async throws -> Reply {
        try await operate(
            "POST", "containers/iCloud.test/\(environment)/roles/\(verb)",
            ["role": .string(role), "person": .string(person)]
        )
    }
}

extension Reply {
    /// The differences in the answer to a schema call, one line each.
    var changes: [String] { json["differences"].texts("text").map { $0 ?? "-" } }
}

/// A schema text with one record type; `items` are its lines.
func schemaText(_ items: String..., roles: [String] = [], type: String = "Party") -> String {
    let users =
        "RECORD TYPE Users (roles LIST<INT64>, GRANT WRITE TO \"_creator\", GRANT READ TO \"_world\");"
    let created = roles.map { "CREATE ROLE \($0); " }.joined()
    return "DEFINE SCHEMA \(created)RECORD TYPE \(type) (\(items.joined(separator: ",\n"))); \(users)"
}
