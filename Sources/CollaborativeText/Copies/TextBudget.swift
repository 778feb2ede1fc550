/// Divides the limits of an assembled text among the people who write it, so that nobody can use up the space
/// of the others.
///
/// The owner of the text may use the whole limits, and is served first. Each other person may use an eighth,
/// and all of them together a half. The text of sites without a copy of their own belongs to nobody, and may
/// use a quarter.
struct TextBudget {
    enum Payer: Hashable {
        case owner
        case person(String)
        case nobody
    }

    struct Cost {
        var sites = 0
        /// Runs and stretches.
        var pieces = 0
        var scalars = 0

        static func + (left: Cost, right: Cost) -> Cost {
            Cost(
                sites: left.sites + right.sites, pieces: left.pieces + right.pieces,
                scalars: left.scalars + right.scalars)
        }
    }

    private var total = Cost()
    private var others = Cost()
    private var spent: [Payer: Cost] = [:]

    /// Spends a cost. Throws ``TextError/full(what:limit:)`` if the payer has too little left.
    mutating func spend(_ cost: Cost, of payer: Payer) throws(TextError) {
        // The pieces of the owner are bounded by the bytes of the owner's copies.
        let own = spent[payer, default: Cost()] + cost
        switch payer {
        case .owner: break
        case .person:
            try Self.check(own, part: 8, of: "one person")
            try Self.check(others + cost, part: 2, of: "all but the owner")
        case .nobody: try Self.check(own, part: 4, of: "sites without a copy")
        }
        let after = total + cost
        guard after.sites <= TextLimits.sites else {
            throw TextError.full(what: "sites", limit: TextLimits.sites)
        }
        guard after.scalars <= TextLimits.scalars else {
            throw TextError.full(what: "scalars", limit: TextLimits.scalars)
        }
        total = after
        spent[payer] = own
        if case .person = payer { others = others + cost }
    }

    private static func check(_ cost: Cost, part: Int, of payer: String) throws(TextError) {
        let limits = [
            ("sites", cost.sites, TextLimits.sites), ("pieces", cost.pieces, TextLimits.pieces),
            ("scalars", cost.scalars, TextLimits.scalars),
        ]
        for (what, count, most) in limits where count > most / part {
            throw TextError.full(what: "\(what) of \(payer)", limit: most / part)
        }
    }
}
