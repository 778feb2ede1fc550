/// The values of one measurement, one per run or per request.
struct Samples {
    var values: [Double] = []

    mutating func add(_ value: Double) {
        values.append(value)
    }

    var median: Double { quantile(0.5) }
    var least: Double { values.min() ?? 0 }
    var most: Double { values.max() ?? 0 }

    /// The quantile of the values, for example 0.5 for the median, interpolated between the two nearest
    /// values.
    func quantile(_ part: Double) -> Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        let position = part * Double(sorted.count - 1)
        let low = Int(position.rounded(.down))
        let high = Int(position.rounded(.up))
        return sorted[low] + (sorted[high] - sorted[low]) * (position - Double(low))
    }
}
