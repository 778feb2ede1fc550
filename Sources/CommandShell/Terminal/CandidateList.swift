import Foundation

/// Formats completion candidates: one per line if they have summaries, else in columns.
enum CandidateList {
    /// The maximum number of candidates to show.
    private static let limit = 40

    /// The text to show. It ends with a line break.
    static func text(_ candidates: [Candidate], width: Int) -> String {
        let shown = candidates.prefix(limit).map {
            Candidate(VisibleText.line($0.text), VisibleText.line($0.summary))
        }
        let widest = shown.reduce(0) { max($0, DisplayWidth.of($1.text)) }
        var lines: [String]
        if shown.contains(where: { !$0.summary.isEmpty }) {
            lines = shown.map { candidate in
                let line = padded(candidate.text, to: min(widest, 40) + 2) + candidate.summary
                return DisplayWidth.fitted(trimmed(line), to: width)
            }
        } else {
            let perLine = max(1, width / (widest + 2))
            lines = stride(from: 0, to: shown.count, by: perLine).map { start in
                let row = shown[start..<min(start + perLine, shown.count)]
                return trimmed(row.map { padded($0.text, to: widest + 2) }.joined())
            }
        }
        if candidates.count > limit {
            lines.append("… and \(candidates.count - limit) more; type a part of the word, then Tab again")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - DisplayWidth.of(text)))
    }

    private static func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }
}
