import Foundation

/// Distributes a limited number of places for work fairly among payers.
///
/// No payer has more than `share` places, so that a payer with many requests leaves places to others. Of the
/// waiting payers, the one whose work has taken the least time recently comes first, and those with the same
/// time take turns. The requests of one payer are served in order, and the number of those that wait is
/// limited.
package struct FairQueue<Payer: Hashable & Sendable, Ticket: Hashable & Sendable>: Sendable {
    /// The answer to a request for a place.
    package enum Admission: Hashable, Sendable {
        case begin
        /// The request waits until `leave` returns its ticket.
        case wait
        /// Too many requests of this payer wait already.
        case refuse
    }

    private let places: Int
    private let share: Int
    private let waitingPerPayer: Int
    private var taken = 0
    private var running: [Payer: Int] = [:]
    private var waiting: [Payer: [Ticket]] = [:]
    /// The payers with waiting requests; of those with the same time, the first is next.
    private var turns: [Payer] = []
    private var usage = RecentUsage<Payer>()

    /// - Parameters:
    ///   - places: number of places in total.
    ///   - share: maximal number of places of one payer.
    ///   - waitingPerPayer: maximal number of waiting requests of one payer.
    package init(places: Int, share: Int, waitingPerPayer: Int) {
        self.places = max(1, places)
        self.share = max(1, share)
        self.waitingPerPayer = waitingPerPayer
    }

    /// Asks for a place for a request. `ticket` identifies the request while it waits.
    package mutating func enter(_ payer: Payer, _ ticket: Ticket) -> Admission {
        if taken < places, running[payer, default: 0] < share {
            begin(payer)
            return .begin
        }
        if waiting[payer, default: []].count >= waitingPerPayer { return .refuse }
        if waiting[payer] == nil { turns.append(payer) }
        waiting[payer, default: []].append(ticket)
        return .wait
    }

    /// Releases a place. Returns the ticket of the waiting request that now has it, if there is one.
    ///
    /// - Parameters:
    ///   - seconds: how long the work has taken.
    ///   - now: the seconds since any fixed time.
    package mutating func leave(_ payer: Payer, after seconds: Double = 0, at now: Double = 0) -> Ticket? {
        taken -= 1
        let left = running[payer, default: 1] - 1
        running[payer] = left > 0 ? left : nil
        usage.add(seconds, of: payer, at: now)
        let candidates = turns.indices.filter { running[turns[$0], default: 0] < share }
        let times = candidates.map { (turn: $0, seconds: usage.seconds(of: turns[$0], at: now)) }
        guard let first = times.min(by: { $0.seconds < $1.seconds }) else { return nil }
        let next = turns.remove(at: first.turn)
        guard var tickets = waiting[next], !tickets.isEmpty else { return nil }
        let ticket = tickets.removeFirst()
        waiting[next] = tickets.isEmpty ? nil : tickets
        if !tickets.isEmpty { turns.append(next) }
        begin(next)
        return ticket
    }

    /// Removes a waiting request. Returns false when the ticket does not wait, because it is unknown or
    /// already has a place.
    package mutating func withdraw(_ payer: Payer, _ ticket: Ticket) -> Bool {
        guard var tickets = waiting[payer], let index = tickets.firstIndex(of: ticket) else { return false }
        tickets.remove(at: index)
        waiting[payer] = tickets.isEmpty ? nil : tickets
        if tickets.isEmpty { turns.removeAll { $0 == payer } }
        return true
    }

    private mutating func begin(_ payer: Payer) {
        taken += 1
        running[payer, default: 0] += 1
    }
}

/// The time that the work of each payer has taken, of which half is forgotten every 30 seconds.
private struct RecentUsage<Payer: Hashable & Sendable>: Sendable {
    private var times: [Payer: (seconds: Double, at: Double)] = [:]
    /// The number of payers from which those with little time are removed.
    private var purgeCount = 64

    private static var halfLife: Double { 30 }
    /// Less is forgotten.
    private static var minimum: Double { 0.001 }

    func seconds(of payer: Payer, at now: Double) -> Double {
        guard let known = times[payer] else { return 0 }
        let left = known.seconds * exp2((known.at - now) / Self.halfLife)
        return left < Self.minimum ? 0 : left
    }

    mutating func add(_ seconds: Double, of payer: Payer, at now: Double) {
        let sum = self.seconds(of: payer, at: now) + seconds
        times[payer] = sum < Self.minimum ? nil : (sum, now)
        if times.count < purgeCount { return }
        for payer in times.keys where self.seconds(of: payer, at: now) == 0 { times[payer] = nil }
        purgeCount = max(64, 2 * times.count)
    }
}
