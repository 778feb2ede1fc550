import Foundation

/// Counts how often words were used in the lines of the history.
struct WordUsage: Equatable, Sendable {
    /// The number of lines to count. Older lines are ignored.
    private static let lineLimit = 300

    private var counts: [String: Int] = [:]

    /// Counts the words of the history's lines, given oldest first.
    init(_ lines: [String]) {
        for line in lines.suffix(Self.lineLimit) {
            let words = Completer.withoutAddress(Tokenizer.scan(line).words).map { $0.text.lowercased() }
            for (index, word) in words.enumerated() {
                counts[Self.key(word, after: Array(words[..<index])), default: 0] += 1
            }
        }
    }

    /// The candidates ordered by how often they were used after these words. Candidates with the same count
    /// keep their order.
    func ranked(_ candidates: [Candidate], after head: [String]) -> [Candidate] {
        let head = head.map { $0.lowercased() }
        let counted = candidates.enumerated().map { index, candidate in
            (
                count: counts[Self.key(candidate.text.lowercased(), after: head)] ?? 0, index: index,
                candidate: candidate
            )
        }
        return counted.sorted { ($1.count, $0.index) < ($0.count, $1.index) }.map(\.candidate)
    }

    /// The key for counting. A first word counts as a first word, a second word only after the same first
    /// word, and all later words regardless of their position and of the words before them.
    private static func key(_ word: String, after head: [String]) -> String {
        head.count < 2 ? (head + [word]).joined(separator: " ") : "… " + word
    }
}
