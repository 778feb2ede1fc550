import Foundation

/// Finds the known words that are most similar to a mistyped one.
public enum DidYouMean {
    /// Up to three similar candidates, most similar first.
    public static func suggestions(for typed: String, among candidates: [String]) -> [String] {
        let typed = typed.lowercased()
        let scored = candidates.enumerated().compactMap { index, candidate -> (score: Int, index: Int)? in
            score(typed, candidate.lowercased()).map { ($0, index) }
        }
        let best = scored.sorted { ($0.score, $0.index) < ($1.score, $1.index) }
        return best.prefix(3).map { candidates[$0.index] }
    }

    /// The number of typing errors between two words: a missing, added or changed letter, or two swapped
    /// ones. Nil if the words are too different.
    private static func score(_ typed: String, _ candidate: String) -> Int? {
        if typed.isEmpty { return nil }
        if typed.count >= 2, candidate.hasPrefix(typed) { return 0 }
        let slips = distance(Array(typed), Array(candidate))
        let allowed = max(1, max(typed.count, candidate.count) / 3)
        return slips <= allowed && slips < candidate.count ? slips : nil
    }

    /// The edit distance, in which swapping two neighbouring characters counts as one edit.
    public static func distance(_ left: [Character], _ right: [Character]) -> Int {
        if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for row in 1...left.count {
            var current = [row]
            for column in 1...right.count {
                let change = left[row - 1] == right[column - 1] ? 0 : 1
                var best = min(previous[column] + 1, current[column - 1] + 1, previous[column - 1] + change)
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1]
                {
                    best = min(best, beforePrevious[column - 2] + 1)
                }
                current.append(best)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[right.count]
    }
}
