import ArgumentParser

@main
struct BenchmarksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "benchmarks",
        abstract: "Measures Cloudlet against its baselines, on this machine, in one run.",
        subcommands: [MeasureCommand.self, ServeWireCommand.self],
        defaultSubcommand: MeasureCommand.self
    )
}
