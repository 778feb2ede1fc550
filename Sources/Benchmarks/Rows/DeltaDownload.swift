// Owns the row of the first sync of a zone.

import Foundation

/// P4: how many records a second come down when a device asks for everything that changed.
struct DeltaDownload: BenchmarkRow {
    static let name = "P4"
    static let title = "delta download of a zone"

    let lab: Lab
    private let zone = "Bench"
    private let peerPage = 1000

    init(lab: Lab) {
        self.lab = lab
    }

    func run() throws -> RowReport {
        let records = lab.scaled(100_000, by: 200)
        var report = RowReport(Self.self)
        var bytes = 0
        try lab.withFolder { folder in
            let server = try CloudletSubject(data: folder)
            defer { server.stop() }
            try makeZone(server)
            try server.fill(records, seed: lab.seed, in: .private, zone: zone)
            for _ in 0..<lab.runs {
                let stopwatch = Stopwatch()
                bytes = try download(records, from: server)
                report.value.add(Double(records) / stopwatch.seconds)
            }
        }
        report.unit = "records/s"
        let raw = try lab.withFolder { try self.raw(records, folder: $0) }
        report.baselines = [.init(name: "raw", samples: raw, unit: "records/s")]
        if let binary = lab.pocketbase {
            let peer = try lab.withFolder { try self.peer(records, binary: binary, folder: $0) }
            report.baselines.append(.init(name: "peer", samples: peer, unit: "records/s"))
        } else {
            report.skipped["peer"] = lab.peerReason
        }
        report.targets = ["raw": .ratio(0.4), "peer": .ratio(15)]
        report.parameters = [
            "\(records) records", "\(bytes / records) bytes each", "one device, page after page",
            "seed \(lab.seed)",
        ]
        report.notes = ["raw is a scan in order of change, spliced into JSON and written to a socket"]
        return report
    }

    private func makeZone(_ server: CloudletSubject) throws {
        let json = """
            {"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"\(zone)"}}}]}
            """
        _ = try server.call(.private, "zones/modify", json: json)
    }

    /// Follows the tokens until nothing more comes; answers the bytes received.
    private func download(_ records: Int, from server: CloudletSubject) throws -> Int {
        var bytes = 0
        var token: String?
        let client = server.client(connections: 1)
        for _ in 0...records {
            let since = token.map { ",\"syncToken\":\"\($0)\"" } ?? ""
            let json = "{\"zones\":[{\"zoneID\":{\"zoneName\":\"\(zone)\"}\(since)}]}"
            let body = try ask(client, server.request(.private, "changes/zone", json: json))
            bytes += body.count
            let page = try ChangesPage(body)
            token = page.syncToken
            if !page.moreComing { return bytes }
        }
        throw BenchmarkError("the zone's changes never end")
    }

    private func ask(_ client: LoadClient, _ request: LoadRequest) throws -> [UInt8] {
        do {
            return try client.call(request)
        } catch let error as BenchmarkError where error.description.contains("status 404") {
            throw RowSkipped("the server does not answer changes/zone")
        }
    }

    private func raw(_ records: Int, folder: URL) throws -> Samples {
        let store = try RawStore(folder: folder)
        let all = (0..<records).map { SampleRecord(number: $0, seed: lab.seed) }
        for start in stride(from: 0, to: records, by: 200) {
            try store.save(all[start..<min(start + 200, records)])
        }
        var samples = Samples()
        for _ in 0..<lab.runs {
            let stopwatch = Stopwatch()
            try RawFeed(file: store.file).send()
            samples.add(Double(records) / stopwatch.seconds)
        }
        return samples
    }

    private func peer(_ records: Int, binary: String, folder: URL) throws -> Samples {
        let server = try PeerSubject(binary: binary, data: folder)
        defer { server.stop() }
        try server.fill(records, seed: lab.seed)
        var samples = Samples()
        for _ in 0..<lab.runs {
            let pages = (records + peerPage - 1) / peerPage
            let load = try server.client(connections: 1).run(count: pages) { page in
                server.listing(page: page + 1, size: peerPage)
            }
            samples.add(Double(records) / load.seconds)
        }
        return samples
    }
}
