import ArgumentParser
import Foundation

/// Runs the rows in order and prints each report as soon as its row has ended.
struct MeasureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure",
        abstract: "Runs all rows, or those named.",
        discussion: BenchmarkRows.all.map { "\($0.name)  \($0.title)" }.joined(separator: "\n")
    )

    @Argument(help: "The rows to run, for example P1; all if none is given.")
    var names: [String] = []

    @Flag(help: "Print one line of JSON per row.")
    var json = false

    @Option(help: "The factor for the number of records, requests and bytes.")
    var scale = 1.0

    @Option(help: "The number of measurements of each figure; the report shows their median.")
    var runs = 3

    @Option(help: "The seed for the records.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("The PocketBase program, which is the peer.", valueName: "path"))
    var pocketbase: String?

    @Option(help: ArgumentHelp("The folder for data during the measurement; default: the temporary folder."))
    var folder: String?

    func validate() throws {
        let known = BenchmarkRows.all.map { $0.name }
        for name in names where !known.contains(name.uppercased()) {
            throw ValidationError("There is no row \(name); there are \(known.joined(separator: ", ")).")
        }
        guard scale > 0, runs > 0 else { throw ValidationError("Scale and runs must be greater than zero.") }
        if let pocketbase, !FileManager.default.isExecutableFile(atPath: pocketbase) {
            throw ValidationError("\(pocketbase) is not a program.")
        }
    }

    func run() async throws {
        let parent = folder.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory
        let lab = try Lab(scale: scale, runs: runs, seed: seed, pocketbase: pocketbase, parent: parent)
        defer { lab.cleanUp() }
        let wanted = Set(names.map { $0.uppercased() })
        if !json { say(TableReport.header(lab)) }
        for row in BenchmarkRows.all where wanted.isEmpty || wanted.contains(row.name) {
            let report = try await report(of: row, in: lab)
            say(json ? try JSONReport.line(report) : TableReport.lines(report))
        }
    }

    /// Writes without a buffer, so that a pipe receives each line immediately.
    private func say(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }

    private func report(of row: any BenchmarkRow.Type, in lab: Lab) async throws -> RowReport {
        do {
            var report = try await row.init(lab: lab).run()
            report.parameters.append("\(lab.runs) runs")
            if lab.runs < 3 { report.note("a reliable measurement needs at least three runs") }
            return report
        } catch let reason as RowSkipped {
            var report = RowReport(row)
            report.skipped["row"] = reason.description
            return report
        }
    }
}
