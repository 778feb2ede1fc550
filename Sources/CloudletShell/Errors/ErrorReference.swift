import Cloudlet
import CloudletServer
import CommandShell
import Foundation

/// What is to be said about a code, whoever met it.
struct ErrorReference {
    let code: CKError.Code

    /// All codes by their names.
    static let names = CKError.Code.allCases.map { "\($0)" }

    /// The same, each with its cause.
    static let candidates = CKError.Code.allCases.map { Candidate("\($0)", $0.cause) }

    /// The entry of a code that is given by its name, in any case, or by its number.
    init?(_ text: String) {
        let found = CKError.Code.allCases.first {
            "\($0)".lowercased() == text.lowercased() || String($0.rawValue) == text
        }
        guard let found else { return nil }
        code = found
    }

    /// The entries of all codes in a complaint, each once.
    static func entries(in complaint: Complaint) -> [ErrorReference] {
        let codes = complaint.codes.isEmpty ? [complaint.code] : complaint.codes
        return codes.compactMap { ErrorReference($0) }
    }

    /// The complaint about a code that does not exist.
    static func unknown(_ word: Word) -> Complaint {
        Complaint.usage(
            "there is no error code `\(word.text)`", at: word.range,
            suggestions: DidYouMean.suggestions(for: word.text, among: names), remedy: "help explain")
    }

    /// The entry in a few lines.
    var text: String {
        var lines = ["\(code) (\(code.rawValue))", "  cause:  \(code.cause)", "  remedy: \(code.remedy)"]
        if let way { lines.append("  try it: \(way)") }
        return lines.joined(separator: "\n")
    }

    /// The entry for `expect` and for JSON.
    var facts: [Field] {
        [
            Field("code", .text("\(code)")), Field("number", .count(code.rawValue)),
            Field("cause", .text(code.cause)), Field("remedy", .text(code.remedy)),
            Field("fault", way.map { .text($0) } ?? .missing),
        ]
    }

    /// The command after which the next call meets the error; nil where no single command does it.
    private var way: String? {
        if let fault = Self.faults[code] { return "fault add \(fault.rawValue) --times 1" }
        return Self.commands[code]
    }

    /// The fault that produces a code with a call that saves.
    static let faults: [CKError.Code: FaultKind] = [
        .zoneBusy: .zoneBusy, .serviceUnavailable: .unavailable, .requestRateLimited: .rateLimited,
        .serverResponseLost: .responseLost, .changeTokenExpired: .tokenExpired, .quotaExceeded: .quotaFull,
        .networkFailure: .networkFailureBefore, .notAuthenticated: .signedOut,
        .limitExceeded: .limitExceeded, .zoneNotFound: .zoneNotFound, .userDeletedZone: .zonePurged,
        .serverRecordChanged: .conflict, .unknownItem: .recordDeleted, .permissionFailure: .notPermitted,
        .referenceViolation: .referenceViolation, .invalidArguments: .invalidItem,
    ]

    private static let commands: [CKError.Code: String] = [
        .networkUnavailable: "network off", .operationCancelled: "Ctrl-C while a command runs",
    ]
}
