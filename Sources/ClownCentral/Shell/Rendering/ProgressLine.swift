// Owns the line that shows how far a sync is: what is done, how fast, and how long it takes still.
import CloudSync
import Foundation

/// How far a transfer is. While pages are fetched the server says how much is to come at most.
struct ProgressLine: Equatable, Sendable {
    var done: Int
    /// How many there are in all; nothing when nobody knows.
    var total: Int?
    var verb: String
    var seconds: TimeInterval

    init(done: Int, total: Int?, verb: String, seconds: TimeInterval) {
        self.done = done
        self.total = total
        self.verb = verb
        self.seconds = seconds
    }

    /// The line for a sync, at a moment of its clock; nothing when nothing has been moved.
    init?(_ status: SyncStatus, now: Date) {
        let progress = status.progress
        let seconds = progress.began.map { now.timeIntervalSince($0) } ?? 0
        if progress.fetched > 0 {
            self.init(
                done: progress.fetched, total: progress.toFetch.map { progress.fetched + $0 },
                verb: "fetched", seconds: seconds)
        } else if progress.toSend + progress.sent > 0 {
            self.init(
                done: progress.sent, total: progress.sent + progress.toSend, verb: "sent", seconds: seconds)
        } else {
            return nil
        }
    }

    /// How many of how many: `40 of 100 sent`.
    var count: String { total.map { "\(done) of \($0) \(verb)" } ?? "\(done) \(verb)" }

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
