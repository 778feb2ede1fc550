/// A party whose bytes are counted together.
package enum BytePayer: Hashable, Sendable {
    /// All clients behind a network address.
    case origin(NetworkOrigin)
    /// A person in a container, on all devices.
    case person(container: String, name: String)
}

/// Divides a number of bytes among payers that hold some at the same time. One payer holds at most a quarter,
/// so that one client cannot keep out all others.
package struct ByteBudget: Sendable {
    /// Maximal number of bytes of all payers together.
    package let total: Int
    /// Maximal number of bytes of one payer.
    package let share: Int
    package private(set) var used = 0
    private var held: [BytePayer: Int] = [:]

    /// - Parameter largest: size of the largest single piece in bytes. A smaller total or share is raised to
    ///   it, since the piece could never be held otherwise.
    package init(total: Int, largest: Int) {
        self.total = max(total, largest, 1)
        share = max(self.total / 4, largest, 1)
    }

    /// Number of payers that hold bytes.
    package var payers: Int { held.count }

    /// Takes bytes from the share of every payer, or none at all; returns false if they do not fit.
    ///
    /// A payer that holds nothing may exceed its share with one piece, and the total if no payer holds
    /// anything. A piece larger than either can thus still be held alone.
    package mutating func take(_ bytes: Int, for payers: [BytePayer]) -> Bool {
        let fits = used == 0 || bytes <= total - used
        guard fits, payers.allSatisfy({ held[$0, default: 0] == 0 || bytes <= share - held[$0, default: 0] })
        else { return false }
        add(bytes, for: payers)
        return true
    }

    /// Whether all payers may hold more bytes.
    package func hasRoom(for payers: [BytePayer]) -> Bool {
        used < total && payers.allSatisfy { held[$0, default: 0] < share }
    }

    /// Takes bytes whether they fit or not, for work that can no longer be refused.
    package mutating func add(_ bytes: Int, for payers: [BytePayer]) {
        used += bytes
        for payer in payers { held[payer, default: 0] += bytes }
    }

    /// Returns bytes that were taken.
    package mutating func giveBack(_ bytes: Int, for payers: [BytePayer]) {
        used -= bytes
        for payer in payers {
            let rest = held[payer, default: 0] - bytes
            held[payer] = rest > 0 ? rest : nil
        }
    }
}
