// The rows of the benchmarks about PostgreSQL, without what the others need:
//   Tests/postgresql --durable swift run -c release --package-path Tests/PostgreSQL \
//       --scratch-path .build/postgresql engine-benchmarks [SCALE [RUNS [ROW…]]]

import Foundation

/// The settings of a measurement.
struct Lab {
    let scale: Double
    let runs: Int
    let seed: UInt64 = 1

    /// `count` times the scale, rounded to a multiple of `step` and at least `step`.
    func scaled(_ count: Int, by step: Int = 1) -> Int {
        max(1, Int((Double(count) * scale / Double(step)).rounded())) * step
    }
}

let arguments = CommandLine.arguments.dropFirst().map(\.self)
let lab = Lab(
    scale: arguments.first.flatMap(Double.init) ?? 1, runs: arguments.dropFirst().first.flatMap(Int.init) ?? 3
)
let names = Set(arguments.dropFirst(2))
print(TableReport.header(lab))
let rows: [any BenchmarkRow.Type] = [
    PostgreSQLBatchedSaves.self, PostgreSQLSingleSaves.self, PostgreSQLQueries.self, PostgreSQLDownload.self,
]
for row in rows where names.isEmpty || names.contains(row.name) {
    print(TableReport.lines(try await row.init(lab: lab).run()))
}
