/// Whose bytes are counted together.
package enum BytePayer: Hashable, Sendable {
    /// Everybody behind a network address.
    case origin(NetworkOrigin)
    /// A person in a container, on whatever devices.
    case person(container: String, name: String)
}

/// Divides a number of bytes among those who hold some at the same time. One payer holds a quarter at most,
/// so that one client cannot keep all others out.
package struct ByteBudget: Sendable {
    /// Bytes of all payers together.
    package let total: Int
    /// Bytes of one payer.
    package let share: Int
    package private(set) var used = 0
    private var held: [BytePayer: Int] = [:]

    /// - Parameter largest: bytes of the largest single thing; a total below it is raised, and so is a share,
    ///   since that thing could never be held otherwise.
    package init(total: Int, largest: Int) {
        self.total = max(total, largest, 1)
        share = max(self.total / 4, largest, 1)
    }

    /// How many payers hold bytes.
    package var payers: Int { held.count }

    /// Takes bytes from the share of every payer, or none from any; false if they do not fit.
    ///
    /// Whoever holds nothing may exceed the share with one piece, and the total if nobody holds anything:
    /// what is larger than either can still be held alone.
    package mutating func take(_ bytes: Int, for payers: [BytePayer]) -> Bool {
        let fits = used == 0 || bytes <= total - used
        guard fits, payers.allSatisfy({ held[$0, default: 0] == 0 || bytes <= share - held[$0, default: 0] })
        else { return false }
        add(bytes, for: payers)
        return true
    }

    /// Whether payers may hold more at all.
    package func hasRoom(for payers: [BytePayer]) -> Bool {
        used < total && payers.allSatisfy { held[$0, default: 0] < share }
    }

    /// Takes bytes whether they fit or not, for what must not be refused any more.
    package mutating func add(_ bytes: Int, for payers: [BytePayer]) {
        used += bytes
        for payer in payers { held[payer, default: 0] += bytes }
    }

    /// Gives back what was taken.
    package mutating func giveBack(_ bytes: Int, for payers: [BytePayer]) {
        used -= bytes
        for payer in payers {
            let rest = held[payer, default: 0] - bytes
            held[payer] = rest > 0 ? rest : nil
        }
    }
}
