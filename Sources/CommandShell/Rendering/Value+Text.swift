import Foundation

extension Value {
    /// The value as shown in a table.
    public var text: String {
        switch self {
        case .missing: ""
        case .text(let text): text
        case .flag(let flag): flag ? "yes" : "no"
        case .count(let count): String(count)
        case .bytes(let count): Self.bytesText(count)
        case .distance(let metres): Self.distanceText(metres)
        case .moment(let moment): MomentText.short(moment)
        case .location(let location):
            "\(Self.degrees(location.latitude)),\(Self.degrees(location.longitude))"
        case .pixels(let size): "\(size.width)×\(size.height)"
        case .picture(let size, let count):
            [size.map { Value.pixels($0).text }, Self.bytesText(count)].compactMap { $0 }.joined(
                separator: ", ")
        case .fields(let fields): fields.map { "\($0.name) \($0.value.text)" }.joined(separator: ", ")
        case .texts(let texts): texts.joined(separator: ", ")
        case .share(let share): Self.percent(share)
        case .bar(let share): Self.bar(share)
        }
    }

    /// Whether the value is aligned to the right of its column.
    var isNumber: Bool {
        switch self {
        case .count, .bytes, .distance, .share: true
        default: false
        }
    }

    /// A size: `812 B`, `45.1 kB`, `3.2 MB`.
    public static func bytesText(_ count: Int) -> String {
        let units: [(name: String, size: Double)] = [
            ("PB", 1e15), ("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3),
        ]
        for unit in units where Double(count) >= unit.size {
            return tenths(Double(count) / unit.size) + " " + unit.name
        }
        return "\(count) B"
    }

    /// A distance: `340 m`, `5.2 km`.
    public static func distanceText(_ metres: Double) -> String {
        guard metres.isFinite, metres.magnitude < 1e15 else { return "? km" }
        return metres < 999.5 ? "\(Int(metres.rounded())) m" : tenths(metres / 1000) + " km"
    }

    /// A percentage; a question mark for a share that is not finite or too large.
    private static func percent(_ share: Double) -> String {
        if share > 0 && share < 0.005 { return "<1 %" }
        return Int(exactly: (share * 100).rounded()).map { "\($0) %" } ?? "? %"
    }

    /// A bar of up to ten columns in steps of an eighth, followed by the percentage, in a total of 16
    /// columns.
    private static func bar(_ share: Double) -> String {
        let eighths = share.isNaN ? 0 : Int((min(max(share, 0), 1) * 80).rounded())
        let parts = Array(" ▏▎▍▌▋▊▉")
        let rest = eighths % 8 == 0 ? "" : String(parts[eighths % 8])
        let drawn = String(repeating: "█", count: eighths / 8) + rest
        let figure = percent(share)
        return drawn + String(repeating: " ", count: max(1, 16 - drawn.count - figure.count)) + figure
    }

    private static func tenths(_ number: Double) -> String {
        let scaled = Int((number * 10).rounded())
        return "\(scaled / 10).\(scaled % 10)"
    }

    private static func degrees(_ degrees: Double) -> String {
        JSONValue.number((degrees * 100_000).rounded() / 100_000)
    }
}
