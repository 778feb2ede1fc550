import Records

/// Calculates a bar chart with a bar for each period. The page's template draws it as SVG.
///
/// The chart has a title for screen readers, and each bar has its period and value as a tooltip. The numbers
/// are in the table of the page, too.
struct BarChart: Sendable {
    struct Bar: Sendable {
        var label: String
        var value: Double
    }

    /// The unit of the values.
    enum Unit: Sendable {
        case number
        case bytes
        /// From 0 to 1.
        case share
        case milliseconds

        func text(_ value: Double) -> String {
            switch self {
            case .number: Self.rounded(value)
            case .bytes: UsageScreen.bytes(Self.whole(value))
            case .share: "\(Self.rounded(value * 100)) %"
            case .milliseconds: "\(Self.rounded(value)) ms"
            }
        }

        /// The number with three digits at least, without zeros at the end.
        private static func rounded(_ value: Double) -> String {
            if value >= 100 { return "\(whole(value.rounded()))" }
            let digits = value >= 10 ? 10.0 : value >= 1 ? 100.0 : 1000.0
            let scaled = (value * digits).rounded() / digits
            return scaled == scaled.rounded() ? "\(whole(scaled))" : "\(scaled)"
        }

        /// The number without its decimals, clamped to the range of `Int64`.
        private static func whole(_ value: Double) -> Int64 {
            Int64(exactly: value.rounded(.towardZero)) ?? (value > 0 ? .max : 0)
        }
    }

    /// A rectangle of the chart.
    struct Rectangle: Sendable {
        var x: Int
        var y: Int
        var width: Int
        var height: Int
        var tip: String
    }

    /// A label of the chart. A label at the left also has a grid line.
    struct AxisLabel: Sendable {
        var x: Int
        var y: Int
        var anchor: String
        var text: String
        var lineY: Int?
    }

    static let (width, height) = (640, 160)
    private static let (left, top, bottom) = (76, 8, 20)

    var title: String
    /// The largest value as text, for screen readers.
    var summary: String
    var marks: [AxisLabel]
    var rectangles: [Rectangle]

    init(title: String, unit: Unit, bars: [Bar]) {
        self.title = title
        let most = bars.map(\.value).max() ?? 0
        summary = "at most \(unit.text(most))"
        // Fractions above one half are drawn on a scale up to 1; smaller ones up to the largest of them.
        let scale = unit == .share && most > 0.5 ? 1 : most
        let (plotWidth, plotHeight) = (Self.width - Self.left, Self.height - Self.top - Self.bottom)
        marks = [1.0, 0.5, 0].enumerated().map { place, share in
            let y = Self.top + plotHeight * place / 2
            return AxisLabel(
                x: Self.left - 6, y: y + 4, anchor: "end", text: unit.text(scale * share), lineY: y)
        }
        for (bar, x, anchor) in [(bars.first, Self.left, "start"), (bars.last, Self.width, "end")] {
            guard let bar else { continue }
            marks.append(AxisLabel(x: x, y: Self.height - 4, anchor: anchor, text: bar.label, lineY: nil))
        }
        let step = Double(plotWidth) / Double(max(1, bars.count))
        rectangles = bars.enumerated().compactMap { index, bar in
            guard bar.value > 0, scale > 0 else { return nil }
            let length = max(1, Int((bar.value / scale * Double(plotHeight)).rounded()))
            let x = Self.left + Int((Double(index) * step).rounded())
            let next = Self.left + Int((Double(index + 1) * step).rounded())
            return Rectangle(
                x: x, y: Self.top + plotHeight - length, width: max(1, next - x - 1), height: length,
                tip: "\(bar.label): \(unit.text(bar.value))")
        }
    }
}
