import CloudletServer
import Foundation

/// P5B: the delivery of a burst of pushes to 10,000 devices that are connected to one process. No push may be
/// lost, and memory must stay bounded.
struct PushBurst: BenchmarkRow {
    static let name = "P5B"
    static let title = "a burst to 10,000 connected devices: nothing lost, memory bounded"

    let lab: Lab
    private static let devicesPerPerson = 100
    private let burst = 20
    /// The limit for the server's memory per connected device during a burst.
    private static let megabytesPerDevice = 0.064

    init(lab: Lab) {
        self.lab = lab
    }

    func run() throws -> RowReport {
        let devices = lab.scaled(10_000, by: Self.devicesPerPerson)
        OpenFiles.raise()
        let files = OpenFiles.limit
        guard files > devices + 100 else {
            throw RowSkipped("\(devices) connections need more than the \(files) files that may be open")
        }
        var report = RowReport(Self.self)
        var (lost, connected, peak) = (Samples(), Samples(), Samples())
        for _ in 0..<lab.runs {
            try lab.withFolder { folder in
                let server = try CloudletSubject(data: folder)
                defer { server.stop() }
                let (rate, missing) = try play(devices, server, idle: { connected.add($0) })
                report.value.add(rate)
                lost.add(Double(missing))
                if let bytes = server.process.peakResidentBytes { peak.add(Double(bytes) / 1_000_000) }
            }
        }
        report.unit = "pushes/s"
        report.figures = [
            .init(name: "lost", samples: lost, unit: "pushes"),
            .init(name: "connected", samples: connected, unit: "MB"),
            .init(name: "peak", samples: peak, unit: "MB"),
        ]
        report.targets = ["lost": .limit(0), "peak": .limit(Double(devices) * Self.megabytesPerDevice)]
        report.parameters = [
            "\(devices) devices of \(devices / Self.devicesPerPerson) people, each with a socket",
            "\(burst) saves in one batch", "seed \(lab.seed)",
        ]
        report.notes = ["connected and peak are the resident memory of the server's process"]
        return report
    }

    private func play(
        _ devices: Int, _ server: CloudletSubject, idle: (Double) -> Void
    ) throws -> (rate: Double, lost: Int) {
        let records = (0...burst).map { SampleRecord(number: $0, seed: lab.seed) }
        let link = server.client(connections: 1)
        _ = try link.call(server.creation(of: records[burst...burst], prefix: "first"))
        let people = try server.people(devices / Self.devicesPerPerson)
        try server.subscribe(people) { _ in [CloudletSubject.everyItem] }
        let couriers = try server.couriers(of: people, devices: Self.devicesPerPerson)
        let streams = try server.streams(couriers, devicesPerAddress: Self.devicesPerPerson)
        if let bytes = server.process.residentBytes { idle(Double(bytes) / 1_000_000) }
        let stopwatch = Stopwatch()
        var arrived = 0
        let sent = try link.send(server.creation(of: records[..<burst], prefix: "burst"))
        try streams.wait(for: burst) { arrived += 1 }
        let seconds = stopwatch.seconds
        try sent.finish()
        return (Double(arrived) / seconds, devices * burst - arrived)
    }
}
