public import Foundation

/// How far a transfer is. While pages are fetched the server says how much is to come at most.
public struct ProgressLine: Equatable, Sendable {
    /// How many are done.
    public var done: Int
    /// How many there are in all; nothing when nobody knows.
    public var total: Int?
    /// What is done with them, `sent` for example.
    public var verb: String
    /// How long it has taken so far.
    public var seconds: TimeInterval

    /// The line for a transfer.
    public init(done: Int, total: Int?, verb: String, seconds: TimeInterval) {
        self.done = done
        self.total = total
        self.verb = verb
        self.seconds = seconds
    }

    /// How many of how many: `40 of 100 sent`.
    public var count: String { total.map { "\(done) of \($0) \(verb)" } ?? "\(done) \(verb)" }

    /// The line, at most `width` columns wide: `[####    ] 40 of 100 sent, 20/s, 3 s left`.
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
