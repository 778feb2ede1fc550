import Foundation

/// The number of commands and claims of a played scene, and its failure.
struct SceneTally: Equatable, Sendable {
    let scene: String
    var commands = 0
    var claims = 0
    var failure: ShellError?

    /// Whether a person stopped the scene.
    var isStopped: Bool { failure?.exit == .interrupted }

    /// The result of a walkthrough as JSON.
    static func json(_ tallies: [SceneTally]) -> JSONValue {
        let scenes = tallies.map { tally in
            JSONValue.object([
                ("scene", .string(tally.scene)), ("commands", .integer(tally.commands)),
                ("expectations", .integer(tally.claims)), ("failure", tally.failure?.json ?? .null),
            ])
        }
        return .object([
            ("scenes", .array(scenes)),
            ("failed", .array(tallies.filter { $0.failure != nil }.map { .string($0.scene) })),
        ])
    }

    /// The last line of a walkthrough.
    static func summary(_ tallies: [SceneTally]) -> String {
        let failed = tallies.filter { $0.failure != nil }
        let commands = tallies.reduce(0) { $0 + $1.commands }
        let claims = tallies.reduce(0) { $0 + $1.claims }
        let counts = "\(Answer.counted(tallies.count, "scene")), \(Answer.counted(commands, "command"))"
        let held = "\(Answer.counted(claims, "expectation")) held"
        if failed.isEmpty { return "\(counts), \(held)" }
        return "\(counts), \(held); failed: \(failed.map(\.scene).joined(separator: ", "))"
    }
}
