import Foundation

/// Formats the report of a row as text: the value, its baselines and figures, and the conditions.
enum TableReport {
    static func header(_ lab: Lab) -> String {
        """
        Cloudlet benchmarks: scale \(number(lab.scale)), \(lab.runs) runs each, seed \(lab.seed), \
        \(ProcessInfo.processInfo.activeProcessorCount) processors
        The median counts; in brackets the spread. Ratios are of this run on this machine.

        """
    }

    static func lines(_ report: RowReport) -> String {
        var lines = ["\(report.name)  \(report.title)"]
        if let reason = report.skipped["row"] {
            lines.append("    skipped: \(reason)")
            return lines.joined(separator: "\n") + "\n"
        }
        lines.append(line("cloudlet", report.value, report.unit) + (report.isMet ? "  met" : "  NOT MET"))
        for figure in report.figures {
            lines.append(line(figure.name, figure.samples, figure.unit) + verdict(figure.name, report))
        }
        for baseline in report.baselines {
            lines.append(
                line(baseline.name, baseline.samples, baseline.unit) + verdict(baseline.name, report))
        }
        for (name, reason) in report.skipped.sorted(by: { $0.key < $1.key }) {
            lines.append("    \(padded(name)) skipped: \(reason)")
        }
        lines.append("    with     \(report.parameters.joined(separator: ", "))")
        lines += report.notes.map { "    note     \($0)" }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func line(_ name: String, _ samples: Samples, _ unit: String) -> String {
        let spread = samples.values.count > 1 ? " [\(number(samples.least)) - \(number(samples.most))]" : ""
        return "    \(padded(name)) \(number(samples.median)) \(unit)\(spread)"
    }

    private static func verdict(_ name: String, _ report: RowReport) -> String {
        switch report.targets[name] {
        case .ratio(let least):
            report.ratios[name].map { "  -> \(number($0)) of it, target \(number(least))" } ?? ""
        case .limit(let most):
            "  target \(number(most))"
        case nil:
            report.ratios[name].map { "  -> \(number($0)) of it" } ?? ""
        }
    }

    private static func padded(_ name: String) -> String {
        name.count < 8 ? name + String(repeating: " ", count: 8 - name.count) : name
    }

    private static func number(_ value: Double) -> String {
        switch abs(value) {
        case 1000...: String(Int(value.rounded()))
        case 10...: String((value * 10).rounded() / 10)
        default: String((value * 1000).rounded() / 1000)
        }
    }
}
