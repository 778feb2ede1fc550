// Owns the rule on sizes: width of lines, length of functions and files, with exceptions that only shrink.

/// Something larger than the house allows, for now.
struct SizeException: Sendable {
    enum Subject: Hashable, Sendable {
        case function(String)
        case file
        /// All lines of a file that are too wide.
        case wideLines
    }

    let path: String
    let subject: Subject
    /// Exactly as large as it is now: lines of the function or the file, or the number of wide lines.
    let size: Int
    /// The day of the entry, as 2026-11-21.
    let since: String
    let reason: String
}

enum SizeRule {
    static let widest = 110
    static let longestFunction = 40
    /// No exception goes beyond.
    static let hardStop = 70
    static let longestFile = 400

    /// What is larger than allowed, before exceptions.
    struct Excess: Sendable {
        let path: String
        let line: Int
        let subject: SizeException.Subject
        let size: Int
        let problem: String
        let remedy: String
    }

    /// The findings of a whole house: what no exception covers, and the exceptions that are loose or unused.
    static func findings(in files: [SourceFile], exceptions: [SizeException]) -> [Finding] {
        let excesses = files.flatMap { wideLines($0) + longFile($0) + longFunctions($0) }
        let uncovered = excesses.filter { excess in
            isPastHardStop(excess) || !exceptions.contains { $0.covers(excess) }
        }
        return uncovered.map { Finding(path: $0.path, line: $0.line, problem: $0.problem, remedy: $0.remedy) }
            + exceptions.compactMap { finding(for: $0, excesses) }
    }

    private static func isPastHardStop(_ excess: Excess) -> Bool {
        if case .function = excess.subject { excess.size > hardStop } else { false }
    }

    private static func finding(for exception: SizeException, _ excesses: [Excess]) -> Finding? {
        let same = excesses.filter { $0.path == exception.path && $0.subject == exception.subject }
        let problem: String? =
            if !exception.isDated {
                "the exception's day \(exception.since) is no date"
            } else if same.isEmpty {
                "the exception for \(exception.subject) is not needed any more"
            } else if !same.contains(where: { $0.size == exception.size }) {
                "the exception for \(exception.subject) says \(exception.size), it is \(same[0].size) now"
            } else {
                nil
            }
        return problem.map {
            Finding(
                path: exception.path, line: 1, problem: $0,
                remedy: "The list in SizeExceptions only shrinks: remove the entry, or lower its number"
            )
        }
    }

    static func wideLines(_ file: SourceFile) -> [Excess] {
        let wide = file.lines.indices.filter {
            file.lines[$0].utf8.count > widest && file.lines[$0].count > widest
        }
        return wide.map { index in
            Excess(
                path: file.path, line: index + 1, subject: .wideLines, size: wide.count,
                problem: "the line has \(file.lines[index].count) columns, \(widest) are allowed",
                remedy: "Break it where the thought does"
            )
        }
    }

    static func longFile(_ file: SourceFile) -> [Excess] {
        let count = file.lines.last == "" ? file.lines.count - 1 : file.lines.count
        guard count > longestFile else { return [] }
        return [
            Excess(
                path: file.path, line: longestFile + 1, subject: .file, size: count,
                problem: "the file has \(count) lines, \(longestFile) are allowed",
                remedy: "Split it by subject, as Type+Topic.swift"
            )
        ]
    }

    static func longFunctions(_ file: SourceFile) -> [Excess] {
        FunctionSpan.all(in: file).filter { $0.lineCount > longestFunction }.map { span in
            Excess(
                path: file.path, line: span.firstLine, subject: .function(span.name), size: span.lineCount,
                problem: "\(span.name) has \(span.lineCount) lines, \(longestFunction) are allowed",
                remedy: "Give its steps names of their own; past \(hardStop) lines there is no exception"
            )
        }
    }
}

extension SizeException {
    fileprivate func covers(_ excess: SizeRule.Excess) -> Bool {
        path == excess.path && subject == excess.subject && size == excess.size
    }

    fileprivate var isDated: Bool {
        since.wholeMatch(of: /20\d\d-[01]\d-[0-3]\d/) != nil
    }
}
