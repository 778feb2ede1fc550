import Foundation

/// P4: downloaded records per second when a device asks for all changes of a zone.
struct DeltaDownload: BenchmarkRow {
    static let name = "P4"
    static let title = "delta download of a zone"

    let lab: Lab
    private let zone = "Bench"
    /// The page size of the server, and the largest page size of the peer.
    private let page = 200
    private let largePage = 1000

    init(lab: Lab) {
        self.lab = lab
    }

    func run() throws -> RowReport {
        let records = lab.scaled(100_000, by: 200)
        var report = RowReport(Self.self)
        report.unit = "records/s"
        report.targets = ["raw": .ratio(0.8), "peer": .ratio(12)]
        report.skipped["peer"] = lab.peerReason
        report.notes = [
            "raw scans the server's own file in the order of the changes and splices JSON into a socket",
            "the peer's pages have \(page) records too, the line below its largest, \(largePage)",
        ]
        try lab.withFolder { folder in
            try lab.fill(folder) { server in
                try server.makeZone(zone)
                try server.fill(records, seed: lab.seed, in: .private, zone: zone)
            }
            try lab.withPeer { peer in
                try peer?.fill(records, seed: lab.seed)
                try CloudletSubject.serving(folder, limits: lab.limits[0]) { server in
                    try measure(server, peer, records, &report)
                }
            }
            guard lab.limits.count > 1 else { return }
            try CloudletSubject.serving(folder, limits: .none) { server in
                var rates = Samples()
                for _ in 0..<lab.runs { rates.add(Double(records) / (try download(from: server).seconds)) }
                report.figures.append(.init(name: "no limits", samples: rates, unit: "records/s"))
            }
        }
        return report
    }

    private func measure(
        _ server: CloudletSubject, _ peer: PeerSubject?, _ records: Int, _ report: inout RowReport
    ) throws {
        var (raw, other, larger) = (Samples(), Samples(), Samples())
        var (bytes, rawBytes, pages) = (0, 0, 0)
        for _ in 0..<lab.runs {
            let load = try download(from: server)
            report.value.add(Double(records) / load.seconds)
            (bytes, pages) = (load.bytes, load.requests)
            let feed = try RawFeed(file: server.file(of: .private), zone: zone)
            let stopwatch = Stopwatch()
            rawBytes = try feed.send()
            raw.add(Double(records) / stopwatch.seconds)
            guard let peer else { continue }
            other.add(try listing(of: records, in: page, from: peer))
            larger.add(try listing(of: records, in: largePage, from: peer))
        }
        report.baselines = [.init(name: "raw", samples: raw, unit: "records/s")]
        if let peer {
            report.baselines.append(.init(name: "peer", samples: other, unit: "records/s"))
            report.baselines.append(.init(name: "pages of \(largePage)", samples: larger, unit: "records/s"))
            report.note(peer.differences)
        }
        report.parameters = [
            "\(records) records", "\(bytes / records) bytes each, \(rawBytes / records) of raw",
            "\(pages) pages one after the other", "seed \(lab.seed)",
        ]
    }

    /// The records per second that the peer lists in pages of one size.
    private func listing(of records: Int, in size: Int, from peer: PeerSubject) throws -> Double {
        let pages = (records + size - 1) / size
        let load = try peer.client(connections: 1).run(count: pages) {
            peer.listing(page: $0 + 1, size: size)
        }
        return Double(records) / load.seconds
    }

    /// Downloads all pages by following the sync tokens.
    private func download(from server: CloudletSubject) throws -> LoadResult {
        try server.client(connections: 1).follow(request(since: nil, server)) { body in
            let page = try ChangesResponse(body)
            return page.moreComing ? request(since: page.syncToken, server) : nil
        }
    }

    private func request(since token: String?, _ server: CloudletSubject) -> LoadRequest {
        let since = token.map { ",\"syncToken\":\"\($0)\"" } ?? ""
        let json = "{\"zones\":[{\"zoneID\":{\"zoneName\":\"\(zone)\"}\(since)}]}"
        return server.request(.private, "changes/zone", json: json)
    }
}
