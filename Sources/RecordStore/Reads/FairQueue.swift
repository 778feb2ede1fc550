/// Distributes a limited number of places for work fairly among payers.
///
/// No payer has more than `share` places, so that a payer with many requests leaves places to others. Waiting
/// payers take turns; the requests of one payer are served in order. The number of waiting requests of one
/// payer is limited.
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
    /// The payers with waiting requests; the payer whose turn is next comes first.
    private var turns: [Payer] = []

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
    package mutating func leave(_ payer: Payer) -> Ticket? {
        taken -= 1
        let left = running[payer, default: 1] - 1
        running[payer] = left > 0 ? left : nil
        guard let turn = turns.firstIndex(where: { running[$0, default: 0] < share }) else { return nil }
        let next = turns.remove(at: turn)
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
