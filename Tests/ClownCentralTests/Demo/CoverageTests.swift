// Owns the proof that the walkthrough leaves nothing out: every error has a cause and a scene, and every
// practice that the talks recommend has one, too.
import CloudletServer
import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit
@testable import TestKit

/// An error of the framework, what produces it by name, and the scene that handles it.
struct ErrorRow: Sendable, CustomTestStringConvertible {
    let code: String
    /// A fault of that name, or the beginning of a command that runs into it by itself.
    let cause: String
    let scene: Int

    init(_ code: String, by cause: String, in scene: Int) {
        (self.code, self.cause, self.scene) = (code, cause, scene)
    }

    var testDescription: String { "\(code), by \(cause), in scene \(scene)" }

    /// Every row of the errors that the talks name, and those that field reports add, as far as they need no
    /// share.
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
        // The whole trip over its time: what is tried again on a dead link ends as what it was.
        ErrorRow("networkUnavailable", by: "chain 1 --quality utility --timeout", in: 37),
        // An unsupported predicate.
        ErrorRow("invalidArguments", by: "record find Party", in: 43),
        // An unknown zone on fetching changes.
        ErrorRow("zoneNotFound", by: "zone fetch Nowhere", in: 43),
        ErrorRow("quotaExceeded", by: "quota-full", in: 38),
        // User records can be neither made nor asked for.
        ErrorRow("permissionFailure", by: "record save Users", in: 43),
        ErrorRow("invalidArguments", by: "record find Users", in: 43),
        // A notification that is silent and raises a badge.
        ErrorRow("invalidArguments", by: "subscribe zone Jokes --silent --badge", in: 33),
        // A reference with an action that leaves its zone.
        ErrorRow("invalidArguments", by: "record save Memo third", in: 36),
        // A record type that production has not heard of.
        ErrorRow("invalidArguments", by: "record save Gala", in: 16),
        ErrorRow("permissionFailure", by: "party create", in: 14),
        ErrorRow("permissionFailure", by: "not-permitted", in: 43),
        ErrorRow("unknownItem", by: "record-deleted", in: 43),
        // A dangling reference leads to a record that is not there.
        ErrorRow("unknownItem", by: "record show rope", in: 36),
        ErrorRow("userDeletedZone", by: "zone-purged", in: 43),
        ErrorRow("userDeletedZone", by: "zone fetch Jokes", in: 13),
        ErrorRow("changeTokenExpired", by: "token-expired", in: 43),
        ErrorRow("referenceViolation", by: "reference-violation", in: 43),
        ErrorRow("serverResponseLost", by: "response-lost", in: 43),
        ErrorRow("operationCancelled", by: "chain 4 --cancel-after", in: 37),
    ]
}

/// A recommended practice and the scenes that show it, or a part of what `to-come.txt` says of it.
struct PracticeRow: Sendable, CustomTestStringConvertible {
    let title: String
    let scenes: [Int]
    let toCome: String?

    init(_ title: String, _ scenes: Int..., toCome: String? = nil) {
        (self.title, self.scenes, self.toCome) = (title, scenes, toCome)
    }

    var testDescription: String { title }

    /// In the order of the list.
    static let all = [
        PracticeRow("Start with no account: read only, then sign in", 1, 19, 29),
        PracticeRow("A loop, then a batch, with the requests counted", 9),
        PracticeRow("A batch of 1,000: limit exceeded, halved", 9),
        PracticeRow("Joining by array conflicts, by back reference does not", 10, 3),
        PracticeRow("A contact card by each save policy", 11),
        PracticeRow("A page of thumbnails, a cursor, the bytes saved", 4, 5),
        PracticeRow("Notes in a zone of their own, edited on two devices off line", 25),
        PracticeRow("A client killed in a long fetch resumes", 12, 28),
        PracticeRow("Airplane mode: two pushes, one arrives, the collection has both", 24),
        PracticeRow("A receipt over 100 dollars turns blue on all devices", 32),
        PracticeRow("A future party: the phone is alerted", 23),
        PracticeRow("A silent push with a badge is refused", 33),
        PracticeRow("Deleting a party takes clowns, photos and files along", 7, 36),
        PracticeRow("A jumbled tree arrives in order", 8),
        PracticeRow("Only party admins may create parties", 14),
        PracticeRow("A wrong type mended, deployed; an unknown field refused", 15, 16),
        PracticeRow("The server throttles a runaway client", 21),
        PracticeRow("A chain of operations, cancelled; a dead link", 37),
        PracticeRow("Sharing a party's notes", toCome: "Sharing a party's notes"),
        PracticeRow("A share opened by its URL, read only", toCome: "opened by its URL"),
        PracticeRow("Two owners with equal zone names", toCome: "equal zone names"),
        PracticeRow("An import by key, run again", 22),
        PracticeRow("Posts with tags, mirrored", toCome: "Posts with tags"),
        PracticeRow("The last writer loses text, a merge of words keeps it", 40, 25),
        PracticeRow("Find friends", 20),
        PracticeRow("Two containers, two identifiers", 17),
        PracticeRow("A clown whose party is gone", 36, 31),
        PracticeRow("A slice near me, words, distances", 6, 39),
        PracticeRow("Polling against a subscription, in numbers", 34),
        PracticeRow("Notes and a chatty log in one zone, then in two", 30, 35),
        PracticeRow("A reference is no string", 36),
        PracticeRow("A transport, not a store; models apart from records", 41),
        PracticeRow("Another developer sees no private notes", toCome: "as another developer"),
        PracticeRow("What the service said and what the app chose", 27, 43),
        PracticeRow("Who pays for what is stored, and cleaning up", 38),
        PracticeRow("A watch: small results, thumbnails only", 39),
        PracticeRow("A share type that was never created", toCome: "whose type was never created"),
        PracticeRow("A sensor store coalesced; drafts", toCome: "sensor store"),
        PracticeRow("Mirrored records by plain HTTP", toCome: "by plain HTTP"),
        PracticeRow("A container's name is warned about", 18),
        PracticeRow("A check list of the app's own operations", 42),
        PracticeRow("Telemetry: errors by operation", 42, toCome: "telemetry"),
    ]
}

@Suite("The walkthrough leaves nothing out")
struct CoverageTests {
    private static func folder() throws -> SceneFolder {
        let url = URL.package.appendingPathComponent("Demo/scenes")
        return try SceneFolder(
            of: ClownCentralApp.names, argument: url, environment: [:], executable: nil)
    }

    private static func lines(of scene: Int) throws -> [String] {
        let found = try folder().scenes(["\(scene)"])
        return found.flatMap(\.steps).compactMap { step in
            if case .statement(let statement) = step { statement.text } else { nil }
        }
    }

    @Test("Every error has a cause with a name, and a scene that handles it", arguments: ErrorRow.all)
    func error(row: ErrorRow) throws {
        let lines = try Self.lines(of: row.scene)
        let fault = FaultKind(rawValue: row.cause)
        let cause = fault == nil ? row.cause : "fault add \(row.cause) "
        // The claim that names the code stands behind the cause, before the next cause of anything.
        let begun = lines.indices.filter { "\(lines[$0]) ".hasPrefix(cause) }
        #expect(!begun.isEmpty, "the scene never says: \(cause)")
        let isMet = begun.contains { index in
            lines[(index + 1)...].prefix { !$0.hasPrefix("fault add") }.prefix(8).contains { line in
                line.hasPrefix("expect ") && Self.names(row.code, in: line)
            }
        }
        #expect(isMet, "no claim about \(row.code) follows")
    }

    /// `limitExceeded` is also called limit exceeded.
    private static func names(_ code: String, in line: String) -> Bool {
        let words = code.replacing(/[A-Z]/) { " " + $0.output.lowercased() }
        return line.hasSuffix(" \(code)") || line.contains(words)
    }

    @Test("Every recommended practice has a scene, or waits for one by name", arguments: PracticeRow.all)
    func practice(row: PracticeRow) throws {
        #expect(!row.scenes.isEmpty || row.toCome != nil)
        for scene in row.scenes { #expect(try Self.folder().scenes(["\(scene)"]).count == 1) }
        guard let toCome = row.toCome else { return }
        #expect(try Self.folder().toCome().contains { $0.contains(toCome) })
    }

    @Test("Every fault that befalls requests strikes in some scene")
    func faults() throws {
        let lines = try Self.folder().scenes([]).map(\.number).flatMap(Self.lines)
        for fault in FaultKind.allCases where !Self.ofPushes.contains(fault.rawValue) {
            let isUsed = lines.contains { "\($0) ".hasPrefix("fault add \(fault.rawValue) ") }
            #expect(isUsed, "no scene uses the fault \(fault.rawValue)")
        }
    }

    /// What befalls pushes on their way is for tests of apps; the walkthrough's devices go off line instead.
    private static let ofPushes: Set = [
        "push-drop", "push-delay", "push-reorder", "push-duplicate", "device-offline",
    ]
}
