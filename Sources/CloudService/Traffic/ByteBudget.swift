/// A party whose bytes are counted together.
package enum BytePayer: Hashable, Sendable {
    /// All clients behind a network address.
    case network(ClientNetwork)
    /// A person in a container, on all devices.
    case person(container: String, name: String)

    var isPerson: Bool {
        if case .person = self { true } else { false }
    }
}

/// Divides a number of bytes among the payers that hold some at the same time.
///
/// One payer may hold a quarter of the total while nobody else holds any, and less the more is in use: at
/// most `4/9 · (left / total)²` of the total, where `left` is the number of bytes that stay unused. If n
/// payers hold their maximum, about `1 / (1 + 2n/5)` of the total is left for others. A payer's first piece
/// may be larger (see `take`).
///
/// The first bytes of a person are not refused because of the person's address, so one person cannot refuse
/// all others behind the same address.
package struct ByteBudget: Sendable {
    /// Maximum number of bytes of all payers together.
    package let total: Int
    /// Bytes of one payer while nobody else holds any.
    package let share: Int
    /// Bytes that a person may hold, however many bytes the person's network address holds; 1 MB with the
    /// default total.
    package let guaranteedBytes: Int
    package private(set) var used = 0
    private var held: [BytePayer: Int] = [:]

    /// - Parameter largest: size of the largest single piece in bytes. A smaller total or share is raised to
    ///   it, since the piece could never be held otherwise.
    package init(total: Int, largest: Int) {
        self.total = max(total, largest, 1)
        share = max(self.total / 4, largest, 1)
        guaranteedBytes = self.total / 128
    }

    /// Number of payers that hold bytes.
    package var payers: Int { held.count }

    /// Takes bytes from the share of every payer, or none at all; returns false if they do not fit.
    ///
    /// Without a payer, all unused bytes may be taken. A payer who holds nothing may take one piece of up to
    /// half of the unused bytes, and a piece of any size if nobody holds anything.
    package mutating func take(_ bytes: Int, for payers: [BytePayer]) -> Bool {
        guard used == 0 || bytes <= total - used && fits(bytes, payers) else { return false }
        used += bytes
        for payer in payers { held[payer, default: 0] += bytes }
        return true
    }

    private func fits(_ bytes: Int, _ payers: [BytePayer]) -> Bool {
        let asksAddresses = !payers.contains { $0.isPerson && isWithinGuarantee(bytes, $0) }
        return payers.allSatisfy { payer in
            if !payer.isPerson, !asksAddresses { return true }
            return fits(bytes, payer)
        }
    }

    /// Whether the person stays within the guaranteed bytes. The guarantee shrinks together with the limit of
    /// one payer, so that many people behind one address leave as much to others as many addresses do.
    private func isWithinGuarantee(_ bytes: Int, _ person: BytePayer) -> Bool {
        held[person, default: 0] + bytes <= min(guaranteedBytes, part(after: bytes))
    }

    private func fits(_ bytes: Int, _ payer: BytePayer) -> Bool {
        let before = held[payer, default: 0]
        if before == 0 { return bytes <= (total - used) / 2 }
        return bytes <= largest(for: before, after: bytes) - before
    }

    /// The most bytes that a payer may hold when `bytes` more are in use.
    private func largest(for held: Int, after bytes: Int) -> Int {
        let part = part(after: bytes)
        return held == used ? max(part, share) : part
    }

    /// The part of one of several payers when `bytes` more are in use.
    private func part(after bytes: Int) -> Int {
        let left = max(0, Double(total) - Double(used) - Double(bytes))
        return Int(left * left / Double(total) * 4 / 9)
    }

    /// Whether payers may hold more at all.
    package func hasRoom(for payers: [BytePayer]) -> Bool {
        used < total
            && payers.allSatisfy { payer in
                let held = held[payer, default: 0]
                return held == 0 || held < largest(for: held, after: 0)
            }
    }

    /// Releases bytes that were taken.
    package mutating func giveBack(_ bytes: Int, for payers: [BytePayer]) {
        used -= bytes
        for payer in payers {
            let rest = held[payer, default: 0] - bytes
            held[payer] = rest > 0 ? rest : nil
        }
    }
}
