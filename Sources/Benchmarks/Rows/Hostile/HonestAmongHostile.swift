import Foundation
import Glibc

/// S1: the time of an honest client's saves and fetches while 64 hostile clients attack the server, and the
/// server's memory.
struct HonestAmongHostile: BenchmarkRow {
    static let name = "S1"
    static let title = "an honest client among 64 hostile ones"

    let lab: Lab
    private static let clients = 64

    init(lab: Lab) {
        self.lab = lab
    }

    func run() async throws -> RowReport {
        let seconds = max(1, 60 * lab.scale)
        var report = RowReport(Self.self)
        var slow = Samples()
        var memory = Samples()
        for _ in 0..<lab.runs {
            let (times, peak) = try lab.withFolder { try measure(for: seconds, folder: $0) }
            report.value.add(times.median)
            slow.add(times.quantile(0.99))
            memory.add(peak)
        }
        report.unit = "ms"
        report.figures = [
            .init(name: "p99", samples: slow, unit: "ms"), .init(name: "memory", samples: memory, unit: "MB"),
        ]
        report.targets = ["p99": .limit(100), "memory": .limit(512)]
        report.parameters = [
            "\(Self.clients) hostile clients of \(HostileKind.allCases.count) kinds", "\(Int(seconds)) s",
            "cloudlet serve --open with its default limits",
            "all clients on this machine, the hostile ones with nice 10",
        ]
        report.notes = [
            "the value is the median of one client's saves and fetches in turn, each of which must succeed",
            "memory is the most that the process had",
        ]
        return report
    }

    private func measure(for seconds: Double, folder: URL) throws -> (times: Samples, peak: Double) {
        let world = try HostileWorld(data: folder)
        defer { world.stop() }
        let honest = try world.signIn("bob")
        // Creates the honest client's data before the attacks begin.
        var link = try LoadConnection(world.process.address)
        _ = try call(world, save("first", as: honest), over: link)
        let kinds = HostileKind.allCases
        let clients = try (0..<Self.clients).map { number in
            HostileClient(
                kinds[number % kinds.count], number: number, at: world.process.address,
                credentials: try world.signIn("mallory\(number)"))
        }
        let end = Date(timeIntervalSinceNow: seconds)
        let running = DispatchGroup()
        for client in clients {
            running.enter()
            Thread.detachNewThread {
                // In reality the hostile clients run on other machines. Here they have a low priority, so
                // that they only use the processor time that the server leaves.
                let process = Int32(PRIO_PROCESS.rawValue)
                setpriority(process, 0, 10)
                client.run(until: end)
                running.leave()
            }
        }
        var times = Samples()
        var round = 0
        while Date() < end {
            // Every second round uses a new connection, as phones do when they come back online.
            if round % 2 == 0 { link = try LoadConnection(world.process.address) }
            times.add(try call(world, save("r\(round)", as: honest), over: link))
            times.add(try call(world, fetch("r\(round)", as: honest), over: link))
            times.add(try call(world, publicFetch(as: honest), over: link))
            Thread.sleep(forTimeInterval: 0.05)
            round += 1
        }
        running.wait()
        guard world.process.isRunning else { throw BenchmarkError("the server has ended") }
        // The server must still answer after the attacks.
        _ = try call(world, fetch("first", as: honest), over: LoadConnection(world.process.address))
        return (times, Double(world.process.peakResidentBytes ?? 0) / 1_048_576)
    }

    private func save(_ name: String, as person: String) -> LoadRequest {
        let creation = HostileWorld.creation(name, "Memo", #""text":{"value":"mine","type":"STRING"}"#)
        return HostileWorld.request(
            "private/records/modify", as: person, json: #"{"operations":[\#(creation)]}"#)
    }

    private func fetch(_ name: String, as person: String) -> LoadRequest {
        HostileWorld.request(
            "private/records/lookup", as: person, json: #"{"records":[{"recordName":"\#(name)"}]}"#)
    }

    private func publicFetch(as person: String) -> LoadRequest {
        HostileWorld.request(
            "public/records/lookup", as: person, json: #"{"records":[{"recordName":"n7"}]}"#)
    }

    /// Sends a request that must succeed and returns the elapsed milliseconds.
    private func call(
        _ world: HostileWorld, _ request: LoadRequest, over connection: LoadConnection
    ) throws -> Double {
        let stopwatch = Stopwatch()
        let client = LoadClient(address: world.process.address, connections: 1)
        let sent = try client.send(request, over: connection)
        try sent.finish()
        let milliseconds = stopwatch.seconds * 1000
        try CloudletSubject.checkRecords(connection.scanner.body)
        return milliseconds
    }
}
