/// Places for slow work, shared among those who ask for it.
///
/// No payer has more than `share` places, so that one who asks for much leaves some to others; those who wait
/// take turns, whoever came first within each. One payer may have only so many waiting.
package struct FairQueue<Payer: Hashable & Sendable, Ticket: Hashable & Sendable>: Sendable {
    /// What becomes of somebody who asks for a place.
    package enum Admission: Hashable, Sendable {
        case begin
        /// Until `leave` answers with the ticket.
        case wait
        /// Too many of this payer wait already.
        case refuse
    }

    private let places: Int
    private let share: Int
    private let waitingPerPayer: Int
    private var taken = 0
    private var running: [Payer: Int] = [:]
    private var waiting: [Payer: [Ticket]] = [:]
    /// The payers who have somebody waiting, the one whose turn is next first.
    private var turns: [Payer] = []

    /// - Parameters:
    ///   - places: how many work at once.
    ///   - share: how many of one payer work at once.
    ///   - waitingPerPayer: how many of one payer wait.
    package init(places: Int, share: Int, waitingPerPayer: Int) {
        self.places = max(1, places)
        self.share = max(1, share)
        self.waitingPerPayer = waitingPerPayer
    }

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

    /// Gives a place back. Returns the ticket of whoever has it now, if somebody waited for it.
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

    /// Takes back the wish of somebody who waits. Returns false when the ticket does not wait: it was never
    /// there, or has a place already.
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
