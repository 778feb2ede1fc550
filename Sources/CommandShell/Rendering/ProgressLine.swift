public import Foundation

/// The progress of a transfer.
public struct ProgressLine: Equatable, Sendable {
    /// The number of items done.
    public var done: Int
    /// The total number of items, or the upper bound that the server reports; nil if unknown.
    public var total: Int?
    /// The action on the items in the past participle, for example `sent`.
    public var verb: String
    /// The elapsed time in seconds.
    public var seconds: TimeInterval

    /// Creates a progress line.
    public init(done: Int, total: Int?, verb: String, seconds: TimeInterval) {
        self.done = done
        self.total = total
        self.verb = verb
        self.seconds = seconds
    }

    /// The count as text: `40 of 100 sent`.
    public var count: String { total.map { "\(done) of \($0) \(verb)" } ?? "\(done) \(verb)" }

    /// The line, such as `[#### ] 40 of 100 sent, 20/s, 3 s left`. The bar fills the room that the words
    /// leave in `width` columns; without enough room, there is no bar.
    func text(width: Int = 72) -> String {
        let rate = seconds > 0 ? Double(done) / seconds : 0
        var words = count
        if rate >= 1 { words += ", \(Int(rate))/s" }
        guard let total, total > 0 else { return words }
        if rate > 0, done < total {
            let left = (Double(total - done) / rate).rounded(.up)
            words += ", \(Int(exactly: min(left, 1e9)) ?? 0) s left"
        }
        let room = min(24, width - words.count - 3)
        guard room > 4 else { return words }
        let full = min(room, room * done / total)
        return "[" + String(repeating: "#", count: full) + String(repeating: " ", count: room - full) + "] "
            + words
    }
}
