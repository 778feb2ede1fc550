import Foundation

/// How often words stood where in the lines that were typed.
struct WordUsage: Equatable, Sendable {
    /// Older lines say little about today.
    private static let newest = 300

    private var counts: [String: Int] = [:]

    /// Counts the words of remembered lines, the newest last.
    init(_ lines: [String]) {
        for line in lines.suffix(Self.newest) {
            let words = Completer.withoutAddress(Tokenizer.scan(line).words).map { $0.text.lowercased() }
            for (index, word) in words.enumerated() {
                counts[Self.key(word, behind: Array(words[..<index])), default: 0] += 1
            }
        }
    }

    /// The candidates in the order of their use behind these words; those used alike as they were.
    func ranked(_ candidates: [Candidate], behind head: [String]) -> [Candidate] {
        let head = head.map { $0.lowercased() }
        let counted = candidates.enumerated().map { index, candidate in
            (
                count: counts[Self.key(candidate.text.lowercased(), behind: head)] ?? 0, index: index,
                candidate: candidate
            )
        }
        return counted.sorted { ($1.count, $0.index) < ($0.count, $1.index) }.map(\.candidate)
    }

    /// Commands and verbs count in their place, names wherever they were used.
    private static func key(_ word: String, behind head: [String]) -> String {
        head.count < 2 ? (head + [word]).joined(separator: " ") : "… " + word
    }
}
