import Cloudlet
import CloudletServer
import CommandShell
import Foundation

/// The explanation of an error code.
struct ErrorReference {
    let code: CKError.Code

    /// The names of all codes.
    static let names = CKError.Code.allCases.map { "\($0)" }

    /// Completion candidates: the names of all codes with their causes.
    static let candidates = CKError.Code.allCases.map { Candidate("\($0)", $0.cause) }

    /// The entry for a code, given by its name in any case, or by its number.
    init?(_ text: String) {
        let found = CKError.Code.allCases.first {
            "\($0)".lowercased() == text.lowercased() || String($0.rawValue) == text
        }
        guard let found else { return nil }
        code = found
    }

    /// The entries for all codes in an error, without duplicates.
    static func entries(in shellError: ShellError) -> [ErrorReference] {
        let codes = shellError.codes.isEmpty ? [shellError.code] : shellError.codes
        return codes.compactMap { ErrorReference($0) }
    }

    /// The error for an unknown code.
    static func unknown(_ word: Word) -> ShellError {
        ShellError.usage(
            "there is no error code `\(word.text)`", at: word.range,
            suggestions: DidYouMean.suggestions(for: word.text, among: names), remedy: "help explain")
    }

    /// The entry as text of a few lines.
    var text: String {
        var lines = ["\(code) (\(code.rawValue))", "  cause:  \(code.cause)", "  remedy: \(code.remedy)"]
        if let reproduction { lines.append("  try it: \(reproduction)") }
        return lines.joined(separator: "\n")
    }

    /// The entry as fields, for `expect` and for JSON.
    var facts: [AnswerField] {
        [
            AnswerField("code", .text("\(code)")), AnswerField("number", .count(code.rawValue)),
            AnswerField("cause", .text(code.cause)), AnswerField("remedy", .text(code.remedy)),
            AnswerField("fault", reproduction.map { .text($0) } ?? .missing),
        ]
    }

    /// The command after which the next call fails with this error; nil if no single command causes it.
    private var reproduction: String? {
        if let fault = Self.faults[code] { return "fault add \(fault.rawValue) --times 1" }
        return Self.commands[code]
    }

    /// For each code, the fault that makes a call fail with it: a save, except for `changeTokenExpired` and
    /// `networkFailure`.
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
