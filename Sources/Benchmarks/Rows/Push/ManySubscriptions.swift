import Foundation

/// P6: the time of a save with 100,000 query subscriptions on its record type, compared with 10.
struct ManySubscriptions: BenchmarkRow {
    static let name = "P6"
    static let title = "save with 100,000 query subscriptions on the type"

    let lab: Lab
    private let few = 10

    /// A person has one subscription for each set of events. There are seven sets.
    private static let events: [[String]] = [
        ["create"], ["update"], ["delete"], ["create", "update"], ["create", "delete"], ["update", "delete"],
        ["create", "update", "delete"],
    ]

    init(lab: Lab) {
        self.lab = lab
    }

    func run() throws -> RowReport {
        let many = lab.scaled(100_000)
        let count = lab.scaled(3000)
        var report = RowReport(Self.self)
        var (light, heavy, resident) = (Samples(), Samples(), Samples())
        for _ in 0..<lab.runs {
            let before = try lab.withFolder { try save(count, subscriptions: few, folder: $0) }
            let after = try lab.withFolder { try save(count, subscriptions: many, folder: $0) }
            light.add(before.microseconds)
            heavy.add(after.microseconds)
            if let bytes = after.resident { resident.add(Double(bytes) / 1_000_000) }
            report.value.add(after.microseconds / before.microseconds)
        }
        report.unit = "times"
        report.figures = [
            .init(name: "cost", samples: report.value, unit: "times"),
            .init(name: "few", samples: light, unit: "µs"),
            .init(name: "many", samples: heavy, unit: "µs"),
            .init(name: "resident", samples: resident, unit: "MB"),
        ]
        report.targets = ["cost": .limit(1.1)]
        report.parameters = [
            "\(many) subscriptions against \(few)", "\(count) saves, one after the other",
            "every commit flushed", "seed \(lab.seed)",
        ]
        report.notes = ["conditions of every kind that a query can have; none matches"]
        return report
    }

    private func save(
        _ count: Int, subscriptions: Int, folder: URL
    ) throws -> (microseconds: Double, resident: Int?) {
        let server = try CloudletSubject(data: folder)
        defer { server.stop() }
        let records = (0..<count + 500).map { SampleRecord(number: $0, seed: lab.seed) }
        let link = server.client(connections: 1)
        _ = try link.call(server.creation(of: records[..<1], prefix: "first"))
        let each = Self.events.count
        let people = try server.people((subscriptions + each - 1) / each)
        try server.subscribe(people) { person in
            (0..<min(each, subscriptions - person * each)).map { subscription(person * each + $0) }
        }
        let requests = records.map {
            server.creation(of: CollectionOfOne($0), prefix: "run", person: $0.number)
        }
        // Warms the caches.
        _ = try link.run(count: 500, check: CloudletSubject.checkRecords) { requests[count + $0] }
        let load = try link.run(count: count, check: CloudletSubject.checkRecords) { requests[$0] }
        return (load.latencies.median, server.process.residentBytes)
    }

    private func subscription(_ number: Int) -> String {
        let events = Self.events[number % Self.events.count].map { "\"\($0)\"" }.joined(separator: ",")
        let (field, comparator, value) = condition(number)
        return """
            {"subscriptionID":"s\(number)","subscriptionType":"query","firesOn":[\(events)],\
            "query":{"recordType":"\(SampleRecord.type)","filterBy":[{"fieldName":"\(field)",\
            "comparator":"\(comparator)","fieldValue":\(value)}]},"notificationInfo":{"alertBody":"x"}}
            """
    }

    /// A condition that no sample meets: samples have fewer than 500 guests, other words in their titles, and
    /// starts between 2023 and 2027.
    private func condition(_ number: Int) -> (String, String, String) {
        switch number % 6 {
        case 0: ("title", "EQUALS", "{\"value\":\"title \(number)\",\"type\":\"STRING\"}")
        case 1: ("title", "BEGINS_WITH", "{\"value\":\"zebra \(number)\",\"type\":\"STRING\"}")
        case 2: ("guests", "EQUALS", "{\"value\":\(1000 + number),\"type\":\"INT64\"}")
        case 3: ("guests", "GREATER_THAN", "{\"value\":\(1000 + number),\"type\":\"INT64\"}")
        case 4: ("starts", "LESS_THAN", "{\"value\":\(1_000_000 + number),\"type\":\"TIMESTAMP\"}")
        default:
            (
                "parent", "EQUALS",
                "{\"value\":{\"recordName\":\"nobody-\(number)\",\"action\":\"NONE\"},\"type\":\"REFERENCE\"}"
            )
        }
    }
}
