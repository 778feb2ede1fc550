// Checks that the walkthrough is complete: every error has a cause and a scene, and every practice that the
// talks recommend has a scene, too.
import CloudletServer
import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit
@testable import TestKit

/// An error of the framework, its cause, and the scene that handles it.
struct ErrorRow: Sendable, CustomTestStringConvertible {
    let code: String
    /// The name of a fault, or the beginning of a command that causes the error without a fault.
    let cause: String
    let scene: Int

    init(_ code: String, by cause: String, in scene: Int) {
        (self.code, self.cause, self.scene) = (code, cause, scene)
    }

    var testDescription: String { "\(code), by \(cause), in scene \(scene)" }

    /// The errors that the talks and reports of developers name.
    static let all = [
        ErrorRow("partialFailure", by: "invalid-item", in: 43),
        ErrorRow("batchRequestFailed", by: "invalid-item", in: 43),
        ErrorRow("serverRecordChanged", by: "conflict", in: 43),
        ErrorRow("serverRecordChanged", by: "attend", in: 10),
        ErrorRow("serverRecordChanged", by: "card edit", in: 11),
        ErrorRow("notAuthenticated", by: "signed-out", in: 43),
        ErrorRow("notAuthenticated", by: "party create", in: 19),
        ErrorRow("networkFailure", by: "network-failure-before", in: 12),
        ErrorRow("networkUnavailable", by: "party show", in: 41),
        ErrorRow("serviceUnavailable", by: "unavailable", in: 43),
        ErrorRow("zoneBusy", by: "zone-busy", in: 43),
        ErrorRow("requestRateLimited", by: "rate-limited", in: 43),
        ErrorRow("limitExceeded", by: "limit-exceeded", in: 43),
        ErrorRow("invalidArguments", by: "invalid-item", in: 43),
        // An answer that takes longer than the time limit of the request.
        ErrorRow("networkFailure", by: "chain 1 --quality user-initiated --timeout", in: 37),
        // An operation that is retried on a dead network until its time limit ends with its original error.
        ErrorRow("networkUnavailable", by: "chain 1 --quality utility --timeout", in: 37),
        // An unsupported predicate.
        ErrorRow("invalidArguments", by: "record find Party", in: 43),
        // An unknown zone on fetching changes.
        ErrorRow("zoneNotFound", by: "zone fetch Nowhere", in: 43),
        ErrorRow("quotaExceeded", by: "quota-full", in: 38),
        // User records can be neither created nor queried.
        ErrorRow("permissionFailure", by: "record save Users", in: 43),
        ErrorRow("invalidArguments", by: "record find Users", in: 43),
        // A notification that is silent and has a badge.
        ErrorRow("invalidArguments", by: "subscribe zone Jokes --silent --badge", in: 33),
        // A reference with an action that leaves its zone.
        ErrorRow("invalidArguments", by: "record save Memo third", in: 36),
        // A record type that production does not have.
        ErrorRow("invalidArguments", by: "record save Gala", in: 16),
        ErrorRow("permissionFailure", by: "party create", in: 14),
        ErrorRow("permissionFailure", by: "not-permitted", in: 43),
        ErrorRow("unknownItem", by: "record-deleted", in: 43),
        // A dangling reference: its record does not exist.
        ErrorRow("unknownItem", by: "record show rope", in: 36),
        ErrorRow("userDeletedZone", by: "zone-purged", in: 43),
        ErrorRow("userDeletedZone", by: "zone fetch Jokes", in: 13),
        ErrorRow("changeTokenExpired", by: "token-expired", in: 43),
        ErrorRow("referenceViolation", by: "reference-violation", in: 43),
        ErrorRow("serverResponseLost", by: "response-lost", in: 43),
        ErrorRow("operationCancelled", by: "chain 4 --cancel-after", in: 37),
        // An invitation to an address that no account has.
        ErrorRow("participantMayNeedVerification", by: "share accept", in: 51),
        // A share that has ended.
        ErrorRow("unknownItem", by: "share accept", in: 51),
        // A person who was removed, and one who may only read.
        ErrorRow("permissionFailure", by: "share accept", in: 51),
        ErrorRow("permissionFailure", by: "share edit Rules", in: 52),
        // The type of shares in a production schema that never had it.
        ErrorRow("invalidArguments", by: "share link Bring --public", in: 54),
        ErrorRow("participantAlreadyInvited", by: "share ask", in: 59),
    ]
}

@Suite("The coverage of the walkthrough")
struct CoverageTests {
    /// The scenes of the walkthrough.
    static func folder() throws -> SceneFolder {
        let url = URL.package.appendingPathComponent("Demo/scenes")
        return try SceneFolder(
            of: ClownCentralApp.names, argument: url, environment: [:], executable: nil)
    }

    static func lines(of scene: Int) throws -> [String] {
        let found = try folder().scenes(["\(scene)"])
        return found.flatMap(\.steps).compactMap { step in
            if case .statement(let statement) = step { statement.text } else { nil }
        }
    }

    @Test("Every error has a named cause, and a scene that handles it", arguments: ErrorRow.all)
    func error(row: ErrorRow) throws {
        let lines = try Self.lines(of: row.scene)
        let fault = FaultKind(rawValue: row.cause)
        let cause = fault == nil ? row.cause : "fault add \(row.cause) "
        // The claim that names the code follows the cause, before the next fault.
        let begun = lines.indices.filter { "\(lines[$0]) ".hasPrefix(cause) }
        #expect(!begun.isEmpty, "the scene never says: \(cause)")
        let isMet = begun.contains { index in
            lines[(index + 1)...].prefix { !$0.hasPrefix("fault add") }.prefix(8).contains { line in
                line.hasPrefix("expect ") && Self.names(row.code, in: line)
            }
        }
        #expect(isMet, "no claim about \(row.code) follows")
    }

    /// Whether a line names a code, as `limitExceeded` or as `limit exceeded`.
    private static func names(_ code: String, in line: String) -> Bool {
        let words = code.replacing(/[A-Z]/) { " " + $0.output.lowercased() }
        return line.hasSuffix(" \(code)") || line.contains(words)
    }

    @Test("Every recommended practice is shown by a scene", arguments: PracticeRow.all)
    func practice(row: PracticeRow) throws {
        #expect(!row.shown.isEmpty)
        for (scene, texts) in row.shown {
            #expect(texts.contains { $0.hasPrefix("expect ") }, "scene \(scene): name a claim that shows it")
            let missing = PracticeRow.missing(texts, in: try Self.lines(of: scene))
            #expect(missing == nil, "scene \(scene) has no such line in this place: \(missing ?? "")")
        }
    }

    @Test("If a scene lacks a line of a practice or has it in another order, that line is reported")
    func missing() {
        let lines = ["batch save 25 --one-by-one", "expect requests = 25", "batch save 25", "expect ok"]
        #expect(PracticeRow.missing(["batch save 25", "batch save 25", "expect ok"], in: lines) == nil)
        #expect(PracticeRow.missing(["expect ok", "batch save 25"], in: lines) == "batch save 25")
        #expect(PracticeRow.missing(["expect requests = 2"], in: lines) == "expect requests = 2")
    }

    @Test("Every command of the shell is used in a scene")
    func commands() throws {
        let lines = try Self.folder().scenes([]).map(\.number).flatMap(Self.lines)
        let played = Set(lines.flatMap(Self.played(by:)))
        let missing = CommandTable.standard.commands.map(\.name).filter { !played.contains($0) }
        #expect(missing.isEmpty, "no scene has: \(missing.joined(separator: ", "))")
    }

    /// The command that a line runs, and the command that this one runs.
    private static func played(by line: String) -> [String] {
        let text = StatementRunner.redirection(of: line).line.replacing(/^\s*[\w.-]+@[\w.-]+:\s+/, with: "")
        guard let words = try? Tokenizer.words(in: text),
            let name = try? CommandTable.standard.command(for: words).name
        else { return [] }
        guard ["app run", "app kill", "watch"].contains(name) else { return [name] }
        let inner = words.dropFirst(name.split(separator: " ").count).first
        return [name] + (inner.map { played(by: $0.text) } ?? [])
    }

    @Test("Every fault of requests is used in a scene")
    func faults() throws {
        let lines = try Self.folder().scenes([]).map(\.number).flatMap(Self.lines)
        for fault in FaultKind.allCases where !Self.pushFaults.contains(fault.rawValue) {
            let isUsed = lines.contains { "\($0) ".hasPrefix("fault add \(fault.rawValue) ") }
            #expect(isUsed, "no scene uses the fault \(fault.rawValue)")
        }
    }

    /// The faults of pushes, which are for tests of apps; in the walkthrough, devices go offline instead.
    private static let pushFaults: Set = [
        "push-drop", "push-delay", "push-reorder", "push-duplicate", "device-offline",
    ]
}
