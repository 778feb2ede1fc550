/// P12: the time of a participant's first page of 100 shared records in a zone with 100,000 further records
/// that are not shared, divided by the time in a zone that contains only the shared records. The row also
/// measures how long a record with 10,000 records below it takes to move into a share and out of it.
struct SharedPage: BenchmarkRow {
    static let name = "P12"
    static let title = "a participant's first page among records that are not shared"

    let lab: Lab
    private let page = 100

    init(lab: Lab) {
        self.lab = lab
    }

    func run() throws -> RowReport {
        let (records, below) = (lab.scaled(100_000, by: 200), lab.scaled(10_000, by: 200))
        var report = RowReport(Self.self)
        report.unit = "times"
        try lab.withFolder { folder in
            try CloudletSubject.serving(folder, limits: .none) { server in
                let crowd = try sharedPage(in: "Crowd", among: records, of: server)
                let alone = try sharedPage(in: "Alone", of: server)
                let tree = try server.makeSharedRoot(in: "Tree")
                let top = try top(of: below, in: tree.zone, server)
                try measure(server, crowd, alone, tree, top, &report)
            }
        }
        report.targets = ["of alone": .limit(1.5), "moved in": .limit(1), "moved out": .limit(1)]
        report.parameters = [
            "\(page) shared of \(records) records", "\(requests) pages one after the other",
            "\(below) records below the moved one", "each move one durable transaction",
            "seed \(lab.seed)",
        ]
        report.notes = ["measured without request limits and quota"]
        return report
    }

    private var requests: Int { lab.scaled(300) }

    /// Creates a zone with a shared root, `others` records that are not shared, and enough records below the
    /// root to fill the page. The shared records are the last ones, so a server that reads the others for the
    /// page is slow.
    private func sharedPage(
        in zone: String, among others: Int = 0, of server: CloudletSubject
    ) throws -> CloudletSubject.SharedRoot {
        let root = try server.makeSharedRoot(in: zone)
        if others > 0 { try server.fill(others, seed: lab.seed, in: .private, zone: zone) }
        try server.fill(
            page, seed: lab.seed, prefix: "shared", in: .private, zone: zone, below: root.name)
        return root
    }

    /// Creates a record that is not shared, with others below it. Returns its name.
    private func top(of count: Int, in zone: String, _ server: CloudletSubject) throws -> String {
        let top = SampleRecord(number: 0, seed: lab.seed)
        _ = try server.client(connections: 1).call(
            server.creation(of: [top], prefix: "top", in: .private, zone: zone))
        let name = top.name("top")
        try server.fill(count, seed: lab.seed, prefix: "below", in: .private, zone: zone, below: name)
        return name
    }

    private func measure(
        _ server: CloudletSubject, _ crowd: CloudletSubject.SharedRoot, _ alone: CloudletSubject.SharedRoot,
        _ tree: CloudletSubject.SharedRoot, _ top: String, _ report: inout RowReport
    ) throws {
        var (among, own, movedIn, movedOut) = (Samples(), Samples(), Samples(), Samples())
        for _ in 0..<lab.runs {
            let (slow, fast) = (try milliseconds(crowd, server), try milliseconds(alone, server))
            among.add(slow)
            own.add(fast)
            report.value.add(slow / fast)
            movedIn.add(try seconds(server, server.move(top, below: tree.name, in: tree.zone)))
            movedOut.add(try seconds(server, server.move(top, below: nil, in: tree.zone)))
        }
        report.figures = [
            .init(name: "of alone", samples: report.value, unit: "times"),
            .init(name: "among", samples: among, unit: "ms"),
            .init(name: "alone", samples: own, unit: "ms"),
            .init(name: "moved in", samples: movedIn, unit: "s"),
            .init(name: "moved out", samples: movedOut, unit: "s"),
        ]
    }

    /// The median time of the page.
    private func milliseconds(
        _ root: CloudletSubject.SharedRoot, _ server: CloudletSubject
    ) throws -> Double {
        let request = server.firstPage(of: root, limit: page)
        let load = try server.client(connections: 1).run(
            count: requests, check: CloudletSubject.checkRecords, request: { _ in request })
        return load.latencies.quantile(0.5) / 1000
    }

    /// The time of one save, which must succeed.
    private func seconds(_ server: CloudletSubject, _ request: LoadRequest) throws -> Double {
        try server.client(connections: 1).run(
            count: 1, check: CloudletSubject.checkRecords, request: { _ in request }
        ).seconds
    }
}
