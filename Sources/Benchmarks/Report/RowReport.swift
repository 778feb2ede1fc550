/// The result of a row: its value, its baselines and its targets.
struct RowReport {
    /// A target for the value or for a figure.
    enum Target {
        /// The lower limit for the value divided by the baseline of the same name.
        case ratio(Double)
        /// The upper limit for the figure of the same name.
        case limit(Double)
    }

    /// A baseline or a further measurement of the same row.
    struct Figure {
        var name: String
        var samples: Samples
        var unit: String
    }

    let name: String
    let title: String
    /// The conditions of the measurement: sizes, durability, connections, seed.
    var parameters: [String] = []
    var value = Samples()
    var unit = ""
    /// Measurements of the same work by a baseline.
    var baselines: [Figure] = []
    /// Further measurements of Cloudlet.
    var figures: [Figure] = []
    var targets: [String: Target] = [:]
    /// The measurements that were skipped, with the reason. The key `row` stands for the whole row.
    var skipped: [String: String] = [:]
    var notes: [String] = []

    init(_ row: any BenchmarkRow.Type) {
        name = row.name
        title = row.title
    }

    /// Adds a note unless the report contains it already.
    mutating func note(_ text: String) {
        if !notes.contains(text) { notes.append(text) }
    }

    /// Adds the peer as a baseline, or the reason why it was not measured.
    mutating func addPeer(_ samples: Samples, absent reason: String?) {
        if let reason {
            skipped["peer"] = reason
        } else {
            baselines.append(Figure(name: "peer", samples: samples, unit: unit))
        }
    }

    var isSkipped: Bool { skipped["row"] != nil }

    /// The value divided by each baseline of the same unit.
    var ratios: [String: Double] {
        Dictionary(
            uniqueKeysWithValues: baselines.compactMap { baseline in
                let base = baseline.samples.median
                return base > 0 && baseline.unit == unit ? (baseline.name, value.median / base) : nil
            })
    }

    /// The measured number for a target; nil if it was not measured.
    func reached(_ target: String) -> Double? {
        switch targets[target] {
        case .ratio: ratios[target]
        case .limit: figures.first { $0.name == target }?.samples.median
        case nil: nil
        }
    }

    /// Whether all measured targets are met.
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
