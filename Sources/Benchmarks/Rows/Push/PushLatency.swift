import CloudletServer
import Foundation

/// P5: the time from sending a save until each of many connected devices has received its push.
struct PushLatency: BenchmarkRow {
    static let name = "P5"
    static let title = "save to push received, 1,000 connected devices"

    let lab: Lab
    private static let devicesPerPerson = 10

    init(lab: Lab) {
        self.lab = lab
    }

    func run() throws -> RowReport {
        let devices = lab.scaled(1000, by: Self.devicesPerPerson)
        OpenFiles.raise()
        let files = OpenFiles.limit
        // The raw server runs in this process, so both ends of its connections count.
        guard files > 2 * devices + 100 else {
            throw RowSkipped("\(devices) connections need more than the \(files) files that may be open")
        }
        var times = Times()
        for _ in 0..<lab.runs {
            let (own, polls, floor) = try lab.withFolder { folder in
                let results = try cloudlet(devices, folder: folder)
                times.bytes = results.bytes
                return (results.streams, results.polls, try raw(devices, results, in: folder).quantile(0.99))
            }
            times.own.add(own.quantile(0.99))
            times.ofRaw.add(own.quantile(0.99) / floor)
            times.middle.add(own.median)
            times.courier.add(polls.quantile(0.99))
            times.raw.add(floor)
            let peer = try lab.withPeer { peer in try peer.map { try measure($0, devices) } }
            guard let peer else { continue }
            let others = peer.times.quantile(0.99)
            times.differences = peer.differences
            times.peer.add(others)
            times.share.add(own.quantile(0.99) / others)
            times.rawShare.add(floor / others)
        }
        return report(times, devices)
    }

    /// The results of Cloudlet in one run.
    private struct ServerResults {
        var streams: Samples
        var polls: Samples
        /// The server's database file.
        var file: URL
        /// The average number of bytes of a push.
        var bytes: Int
    }

    /// The results of all runs.
    private struct Times {
        var own = Samples()
        var middle = Samples()
        var courier = Samples()
        var raw = Samples()
        var ofRaw = Samples()
        /// The average number of bytes of a push.
        var bytes = 0
        var peer = Samples()
        /// The differences between the peer and Cloudlet, for a note.
        var differences = ""
        var share = Samples()
        var rawShare = Samples()
    }

    private func report(_ times: Times, _ devices: Int) -> RowReport {
        var report = RowReport(Self.self)
        report.value = times.own
        report.unit = "ms"
        report.figures = [
            .init(name: "median", samples: times.middle, unit: "ms"),
            .init(name: "courier", samples: times.courier, unit: "ms"),
            .init(name: "of raw", samples: times.ofRaw, unit: "times"),
        ]
        report.baselines = [.init(name: "raw", samples: times.raw, unit: "ms")]
        report.targets = ["of raw": .limit(1.25)]
        report.addPeer(times.peer, absent: lab.peerReason)
        if !times.peer.values.isEmpty {
            report.figures += [
                .init(name: "of peer", samples: times.share, unit: "times"),
                .init(name: "raw of peer", samples: times.rawShare, unit: "times"),
            ]
            report.note(times.differences)
        }
        report.parameters = [
            "\(devices) devices of \(devices / Self.devicesPerPerson) people", "\(saves) saves in turn",
            "\(times.bytes) bytes a push", "one connection that saves", "every commit flushed",
            "seed \(lab.seed)",
        ]
        report.notes += [
            "the value is the p99 over all devices and saves; so is the peer's, over server-sent events",
            "raw writes the same rows, flushes them, and sends as many bytes from a thread a processor",
            "courier: p99 of one device that polls, as the README's curl does",
        ]
        return report
    }

    private let saves = 50

    private func cloudlet(
        _ devices: Int, folder: URL
    ) throws -> ServerResults {
        let server = try CloudletSubject(data: folder)
        defer { server.stop() }
        let records = (0..<saves * 2 + 1).map { SampleRecord(number: $0, seed: lab.seed) }
        let link = server.client(connections: 1)
        func save(_ number: Int) -> LoadRequest {
            server.creation(of: records[number...number], prefix: "run")
        }
        _ = try link.call(save(saves * 2))
        let people = try server.people(devices / Self.devicesPerPerson)
        try server.subscribe(people) { _ in [CloudletSubject.everyItem] }
        let couriers = try server.couriers(of: people, devices: Self.devicesPerPerson)
        let streams = try server.streams(couriers, devicesPerAddress: Self.devicesPerPerson)
        let streamTimes = try measure(streams, link) { save($0) }
        let polled = try polls(server, couriers[0], link) { save(saves + $0) }
        return ServerResults(
            streams: streamTimes, polls: polled, file: try server.file(of: .public),
            bytes: streams.bytesPerEvent)
    }

    /// The times from a save until one polling device receives its response. The other devices stay
    /// connected.
    private func polls(
        _ server: CloudletSubject, _ courier: String, _ link: LoadClient,
        _ save: (Int) -> LoadRequest
    ) throws -> Samples {
        var samples = Samples()
        let connection = try LoadConnection(link.address)
        for number in 0..<saves {
            let poll = try EventStream(
                server.process.address, LoadRequest("GET", courier), mark: "\"qry\":")
            try poll.waitForBeginning("\r\n\r\n")
            let stopwatch = Stopwatch()
            let sent = try link.send(save(number), over: connection)
            try EventStreams([poll]).wait(for: 1) { samples.add(stopwatch.seconds * 1000) }
            try sent.finish()
        }
        return samples
    }

    /// - Parameter results: The results of the measured server, which has stopped.
    private func raw(_ devices: Int, _ results: ServerResults, in folder: URL) throws -> Samples {
        let server = try RawPushes(
            rewriting: results.file, saves: saves * 2, in: folder, devices: devices, pushBytes: results.bytes)
        defer { server.stop() }
        let request = LoadRequest("GET", "/")
        let streams = try EventStreams(
            (0..<devices).map { _ in try EventStream(server.address, request, mark: "\"qry\":") })
        for stream in streams.all { try stream.waitForBeginning("\r\n\r\n") }
        return try measure(streams, LoadClient(address: server.address, connections: 1)) { _ in request }
    }

    private func measure(
        _ server: PeerSubject, _ devices: Int
    ) throws -> (times: Samples, differences: String) {
        let records = (0..<saves).map { SampleRecord(number: $0, seed: lab.seed) }
        let streams = try server.streams(devices)
        let link = server.client(connections: 1)
        let times = try measure(streams, link) { server.creation(of: records[$0]) }
        return (times, server.differences)
    }

    /// Measures `saves` saves. Each one begins after every device has received the push of the previous one.
    private func measure(
        _ streams: EventStreams, _ link: LoadClient, _ save: (Int) -> LoadRequest
    ) throws -> Samples {
        var samples = Samples()
        let connection = try LoadConnection(link.address)
        for number in 0..<saves {
            let stopwatch = Stopwatch()
            let sent = try link.send(save(number), over: connection)
            try streams.wait(for: number + 1) { samples.add(stopwatch.seconds * 1000) }
            try sent.finish()
        }
        return samples
    }
}
