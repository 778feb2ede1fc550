import Foundation

/// Formats the report of a row as one line of JSON.
enum JSONReport {
    private struct Line: Encodable {
        var name: String
        var value: Double?
        var unit: String?
        var spread: [Double]?
        var ratios: [String: Double]
        var figures: [String: Double]
        var targets: [String: Double]
        var met: Bool?
        var skipped: [String]
        var reasons: [String: String]
        var parameters: [String]
        var notes: [String]
    }

    static func line(_ report: RowReport) throws -> String {
        let hasValue = !report.isSkipped
        let line = Line(
            name: report.name,
            value: hasValue ? rounded(report.value.median) : nil,
            unit: hasValue ? report.unit : nil,
            spread: hasValue ? [rounded(report.value.least), rounded(report.value.most)] : nil,
            ratios: report.ratios.mapValues(rounded),
            figures: figures(of: report),
            targets: report.targets.mapValues { target in
                switch target {
                case .ratio(let number), .limit(let number): number
                }
            },
            met: hasValue ? report.isMet : nil,
            skipped: report.skipped.keys.sorted(),
            reasons: report.skipped,
            parameters: report.parameters,
            notes: report.notes
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(line), as: UTF8.self)
    }

    private static func figures(of report: RowReport) -> [String: Double] {
        Dictionary(
            (report.baselines + report.figures).map { ($0.name, rounded($0.samples.median)) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Rounds to four significant digits; measurements are less exact than that.
    private static func rounded(_ number: Double) -> Double {
        guard number != 0, number.isFinite else { return 0 }
        let factor = pow(10, 3 - floor(log10(abs(number))))
        return (number * factor).rounded() / factor
    }
}
