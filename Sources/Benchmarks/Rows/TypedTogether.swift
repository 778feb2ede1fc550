import CollaborativeText
import Foundation
import Records

/// P15: the time in which a device applies the contributions of 100,000 typed characters to a collaborative
/// text.
struct TypedTogether: BenchmarkRow {
    static let name = "P15"
    static let title = "100,000 typed characters applied to a collaborative text"

    /// The text of one edit session, which the baseline `by date` stores.
    private struct SessionText {
        var date: Int
        var text: String
    }

    let lab: Lab

    init(lab: Lab) {
        self.lab = lab
    }

    func run() async throws -> RowReport {
        let count = lab.scaled(100_000)
        let trace = TypingTrace(typing: count, seed: lab.seed)
        var (typed, shuffled, byDate) = (Samples(), Samples(), Samples())
        var report = RowReport(Self.self)
        var contributions: [TextContribution] = []
        for _ in 0..<lab.runs {
            var text = CollaborativeText(site: try TextSite("phone"))
            contributions = []
            var stopwatch = Stopwatch()
            for edit in trace.edits {
                try text.replace(edit.position..<edit.position + edit.deleted, with: edit.text)
                if edit.isPause { contributions += text.takeContributions() }
            }
            contributions += text.takeContributions()
            typed.add(stopwatch.seconds)
            let bytes = TextContribution.bytes(of: contributions)
            stopwatch = Stopwatch()
            let copy = try apply(try TextContribution.contributions(in: bytes))
            report.value.add(stopwatch.seconds)
            guard copy == text.text else { throw BenchmarkError("the text of the copy differs") }
            var random = SplitMix64(seed: lab.seed)
            let mixed = contributions.shuffled(using: &random)
            stopwatch = Stopwatch()
            guard try apply(mixed) == copy else {
                throw BenchmarkError("another order of contributions gave another text")
            }
            shuffled.add(stopwatch.seconds)
            byDate.add(joinByDate(trace, &random))
        }
        report.unit = "s"
        report.baselines = [.init(name: "by date", samples: byDate, unit: "s")]
        report.figures = [
            .init(name: "applied", samples: report.value, unit: "s"),
            .init(name: "shuffled", samples: shuffled, unit: "s"),
            .init(name: "typed", samples: typed, unit: "s"),
        ]
        report.targets = ["applied": .limit(1)]
        report.parameters = [
            "\(count) characters typed one by one", "\(trace.edits.count) edits",
            "\(contributions.count) contributions", "decoding and building the text included",
            "seed \(lab.seed)",
        ]
        report.notes = [
            "by date sorts one text of each edit session by its date and joins them; it knows no position "
                + "and no deletion, so its text is not what was typed"
        ]
        return report
    }

    private func apply(_ contributions: [TextContribution]) throws -> String {
        var text = CollaborativeText(site: try TextSite("tablet"))
        try text.apply(contributions)
        return text.text
    }

    /// Returns the seconds that the baseline `by date` takes.
    private func joinByDate(_ trace: TypingTrace, _ random: inout SplitMix64) -> Double {
        var sessions = [SessionText(date: 0, text: "")]
        for edit in trace.edits {
            sessions[sessions.count - 1].text += edit.text
            if edit.isPause { sessions.append(SessionText(date: sessions.count, text: "")) }
        }
        sessions.shuffle(using: &random)
        let stopwatch = Stopwatch()
        let text = sessions.sorted { $0.date < $1.date }.map(\.text).joined()
        return text.isEmpty ? 0 : stopwatch.seconds
    }
}
