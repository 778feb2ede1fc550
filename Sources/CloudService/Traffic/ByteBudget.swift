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
/// A payer may hold at most `4/9 · left² / total` bytes, where `left` is the number of bytes that are unused
/// afterwards, whoever uses the others. So the limit of one payer falls as the use rises. The factor 4/9
/// gives a payer who is alone a quarter of the total: three quarters are left, and 4/9 · (3/4)² = 1/4.
///
/// If n payers take all that they may, one after the other, about `1 / (1 + 2n/5)` of the total is left: a
/// fifth after ten payers, 2 % after a hundred. There are two exceptions to the limit:
/// - A payer's first piece may be larger (see `take`).
/// - The first bytes of a person are not refused because of the person's address, so that one person cannot
///   keep out all others behind the same address.
package struct ByteBudget: Sendable {
    /// Maximum number of bytes of all payers together.
    package let total: Int
    /// Maximum number of bytes of one payer while nobody else holds any.
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
        let isGuaranteed = payers.contains { $0.isPerson && isWithinGuarantee(bytes, $0) }
        return payers.allSatisfy { payer in
            if isGuaranteed, !payer.isPerson { return true }
            return fits(bytes, payer)
        }
    }

    /// Whether the person stays within the guaranteed bytes. The guarantee shrinks together with the limit of
    /// one payer, so that many people behind one address leave as much to others as many addresses do.
    private func isWithinGuarantee(_ bytes: Int, _ person: BytePayer) -> Bool {
        held[person, default: 0] + bytes <= min(guaranteedBytes, limit(after: bytes))
    }

    private func fits(_ bytes: Int, _ payer: BytePayer) -> Bool {
        let before = held[payer, default: 0]
        if before == 0 { return bytes <= (total - used) / 2 }
        return bytes <= limit(holding: before, after: bytes) - before
    }

    /// The limit of a payer who holds `held` bytes, when `bytes` more are in use. It is at least `share` if
    /// nobody else holds any.
    private func limit(holding held: Int, after bytes: Int) -> Int {
        let limit = limit(after: bytes)
        return held == used ? max(limit, share) : limit
    }

    /// The limit of one of several payers, when `bytes` more are in use.
    private func limit(after bytes: Int) -> Int {
        let left = max(0, Double(total) - Double(used) - Double(bytes))
        return Int(left * left / Double(total) * 4 / 9)
    }

    /// Whether some bytes are unused, and none of these payers has reached the limit.
    package func hasRoom(for payers: [BytePayer]) -> Bool {
        used < total
            && payers.allSatisfy { payer in
                let held = held[payer, default: 0]
                return held == 0 || held < limit(holding: held, after: 0)
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
