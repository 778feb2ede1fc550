/// What was measured, against what, and whether it is good enough.
struct RowReport {
    /// A baseline, or an absolute limit, and what is asked of it.
    enum Target {
        /// The value must be at least this many times the baseline of the same name.
        case ratio(Double)
        /// The figure of the same name must be at most this.
        case limit(Double)
    }

    /// Another figure of the same row: a baseline, or a second measurement.
    struct Figure {
        var name: String
        var samples: Samples
        var unit: String
    }

    let name: String
    let title: String
    /// Sizes, durability, connections, seed.
    var parameters: [String] = []
    var value = Samples()
    var unit = ""
    /// Runs of the same work elsewhere.
    var baselines: [Figure] = []
    /// Second figures of the subject.
    var figures: [Figure] = []
    var targets: [String: Target] = [:]
    /// What was not run, and why; `row` stands for the whole row.
    var skipped: [String: String] = [:]
    var notes: [String] = []

    init(_ row: any BenchmarkRow.Type) {
        name = row.name
        title = row.title
    }

    /// Adds a sentence unless it is there.
    mutating func note(_ text: String) {
        if !notes.contains(text) { notes.append(text) }
    }

    /// Adds the peer as a baseline, or the reason why there is none.
    mutating func addPeer(_ samples: Samples, absent reason: String?) {
        if let reason {
            skipped["peer"] = reason
        } else {
            baselines.append(Figure(name: "peer", samples: samples, unit: unit))
        }
    }

    var isSkipped: Bool { skipped["row"] != nil }

    /// How many times each baseline the value is.
    var ratios: [String: Double] {
        Dictionary(
            uniqueKeysWithValues: baselines.compactMap { baseline in
                let base = baseline.samples.median
                return base > 0 && baseline.unit == unit ? (baseline.name, value.median / base) : nil
            })
    }

    /// What was reached of a target; nil if it was not measured.
    func reached(_ target: String) -> Double? {
        switch targets[target] {
        case .ratio: ratios[target]
        case .limit: figures.first { $0.name == target }?.samples.median
        case nil: nil
        }
    }

    /// Speaks of the targets that were measured.
    var isMet: Bool {
        targets.allSatisfy { name, target in
            guard let reached = reached(name) else { return true }
            switch target {
            case .ratio(let least): return reached >= least
            case .limit(let most): return reached <= most
            }
        }
    }
}
