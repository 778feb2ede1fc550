/// P20: the time of the first request of each page of the console, and the size of the page, on a server that
/// has answered requests before.
struct ConsolePages: BenchmarkRow {
    static let name = "P20"
    static let title = "first answer of the console's pages"

    let lab: Lab

    init(lab: Lab) {
        self.lab = lab
    }

    func run() throws -> RowReport {
        let records = lab.scaled(1_000_000, by: 200)
        let few = lab.scaled(2000, by: 200)
        var times: [String: Samples] = [:]
        var sizes: [String: Double] = [:]
        try lab.withFolder { folder in
            try lab.fill(folder) { server in
                try server.fill(records, seed: lab.seed)
                try server.fill(few, seed: lab.seed, in: .private)
                // One of the parents exists, and a thousandth of the records refers to it.
                let record = "{\"recordName\":\"\(Self.parent)\",\"recordType\":\"\(SampleRecord.type)\"}"
                let creation = "{\"operations\":[{\"operationType\":\"create\",\"record\":\(record)}]}"
                try CloudletSubject.checkRecords(server.call(.public, "records/modify", json: creation))
            }
            for _ in 0..<lab.runs {
                try CloudletSubject.serving(folder) { server in
                    try warm(server)
                    for page in Self.pages {
                        let link = server.client(connections: 1)
                        let result = try link.run(count: 1) { _ in Self.request(page) }
                        times[page, default: Samples()].add(result.latencies.median / 1000)
                        sizes[page] = max(sizes[page] ?? 0, Double(result.bytes) / 1000)
                    }
                }
            }
        }
        return report(times, sizes, records: records, ownRecords: few)
    }

    private func report(
        _ times: [String: Samples], _ sizes: [String: Double], records: Int, ownRecords: Int
    ) -> RowReport {
        var report = RowReport(Self.self)
        report.unit = "ms"
        for run in 0..<lab.runs {
            report.value.add(Self.pages.compactMap { times[$0]?.values[run] }.max() ?? 0)
        }
        let slowest = Self.pages.max { times[$0]?.median ?? 0 < times[$1]?.median ?? 0 }
        report.figures = [
            .init(name: "slowest page", samples: report.value, unit: "ms"),
            .init(name: "largest page", samples: Samples(values: [sizes.values.max() ?? 0]), unit: "kB"),
        ]
        report.targets = ["slowest page": .limit(50), "largest page": .limit(100)]
        for page in Self.pages {
            let size = Int((sizes[page] ?? 0).rounded(.up))
            report.figures.append(
                .init(name: "\(page) (\(size) kB)", samples: times[page] ?? Samples(), unit: "ms"))
        }
        report.parameters = [
            "\(records) public records, \(ownRecords) private ones", "each page once after a start",
            "seed \(lab.seed)",
        ]
        report.note("the slowest page is \(slowest ?? "none")")
        return report
    }

    /// Uses the server as an app and an operator do: a query, and the first page of the console.
    private func warm(_ server: CloudletSubject) throws {
        let client = server.client(connections: 1)
        let newest = server.newest(of: SampleRecord.parentName(0), limit: 20, person: 0)
        try CloudletSubject.checkRecords(client.call(newest))
        for _ in 0..<20 { _ = try client.call(Self.request("containers")) }
    }

    private static func request(_ page: String) -> LoadRequest { LoadRequest("GET", "/console/" + page) }

    private static let parent = SampleRecord.parentName(1)

    private static let pages: [String] = {
        let type = SampleRecord.type
        let record = SampleRecord(number: 0, seed: 0).name("fill")
        let sections = [
            "types", "type?name=\(type)", "records", "records?type=\(type)",
            "records?type=\(type)&f1=guests&c1=GREATER_THAN&v1=250&sort=starts&order=descending",
            "records?type=\(type)&f1=parent&c1=EQUALS&v1=\(parent)", "record?name=\(record)",
            "record?name=\(parent)", "new?type=\(type)", "delete?name=\(record)",
            "delete?name=\(parent)", "roles", "tokens", "schema", "schema.ckdb",
            "deploy", "usage", "performance", "performance?period=month", "logs", "audit", "own", "zones",
            "subscriptions", "settings", "users",
        ]
        let place = "containers/\(CloudletSubject.container)/development/"
        return sections.map { place + $0 } + [
            "containers", "people", "people?sort=size", "person?name=bench0", "operators", "audit",
            "limits", "maintenance", "logs",
        ]
    }()
}
