import Foundation
import Records

/// N6: the cost of a request among many people, against a database with few.
struct PeopleCosts: PostgreSQLRow {
    static let name = "N6"
    static let title = "PostgreSQL: a request among 200,000 people and among 1,000"

    let lab: Lab
    private let zone = "Bench"
    private let prefix = "own"
    /// The records of each person.
    private let records = 5
    private let connections = 8

    init(lab: Lab) {
        self.lab = lab
    }

    /// The costs per request in each run, in milliseconds.
    private struct Costs {
        /// The processor time of the node.
        var node = Samples()
        /// The processor time of the engine's processes that serve the node.
        var engine = Samples()
        /// Both together.
        var total = Samples()
        /// The median of the requests' latencies.
        var latency = Samples()
        /// The average time of a sign-in, one after the other; it is measured once.
        var signIn = Samples()
    }

    func measure(_ subject: PostgreSQLSubject, _ report: inout RowReport) async throws {
        let (few, many, requests) = (lab.scaled(1000), lab.scaled(200_000), lab.scaled(4000))
        let (small, large) = try subject.withNewSchema { address -> (Costs, Costs) in
            let copies = try makePerson(in: address)
            try copies.add(0..<few)
            let before = try costs(among: few, of: few, in: address, requests: requests)
            try copies.add(few..<many)
            return (before, try costs(among: many, of: few, in: address, requests: requests))
        }
        report.value = large.total
        report.unit = "ms"
        report.figures = [
            .init(name: "of few", samples: Self.ratios(large.total, small.total), unit: "times"),
            .init(name: "extrapolated", samples: extrapolated(large, small, few, many), unit: "times"),
            .init(name: "node", samples: large.node, unit: "ms"),
            .init(name: "node, few", samples: small.node, unit: "ms"),
            .init(name: "engine", samples: large.engine, unit: "ms"),
            .init(name: "engine, few", samples: small.engine, unit: "ms"),
            .init(name: "latency", samples: large.latency, unit: "ms"),
            .init(name: "latency, few", samples: small.latency, unit: "ms"),
            .init(name: "sign-in", samples: large.signIn, unit: "ms"),
            .init(name: "sign-in, few", samples: small.signIn, unit: "ms"),
            .init(name: "latency of few", samples: Self.ratios(large.latency, small.latency), unit: "times"),
        ]
        report.targets = [
            "of few": .limit(1.3), "extrapolated": .limit(1.3), "latency of few": .limit(1.3),
        ]
        report.parameters = [
            "\(many) people, few are \(few)", "\(records) records in a zone of each", "\(requests) requests",
            "by \(few) of the people, at random", "\(connections) connections",
        ]
        report.notes = [
            "the value is the processor time per request of the node and of the engine's processes for it",
            "half of the requests fetch a record, a quarter all changes of the zone, a quarter save a record",
            "the same number of people is active among few and among many, each with a database of their own",
            """
            extrapolated to \(few * 1000) people: the processor time grows by the same amount with each \
            doubling as from few to many, as the depth of B-trees does
            """,
        ]
    }

    /// Imports the schema, and signs in a person with a zone of records.
    private func makePerson(in address: String) throws -> PersonCopies {
        try CloudletSubject.serving(lab.newFolder(), database: address) { server in
            try server.makeZone(zone)
            try server.fill(records, seed: lab.seed, prefix: prefix, in: .private, zone: zone)
        }
        return try PersonCopies(of: CloudletSubject.name(0), in: address)
    }

    /// The ratios of two measurements in each run.
    private static func ratios(_ some: Samples, _ others: Samples) -> Samples {
        Samples(values: zip(some.values, others.values).map { $0 / $1 })
    }

    /// The processor time with 1000 times as many people as few, in multiples of that with few. Time that
    /// does not grow is not extrapolated.
    private func extrapolated(_ large: Costs, _ small: Costs, _ few: Int, _ many: Int) -> Samples {
        let measured = log2(Double(many) / Double(few))
        return Samples(
            values: Self.ratios(large.total, small.total).values.map { ratio in
                ratio + max(0, ratio - 1) / measured * (log2(1000) - measured)
            })
    }

    /// Starts a node on the database, signs in some of the people, and measures their requests.
    private func costs(
        among people: Int, of active: Int, in address: String, requests: Int
    ) throws -> Costs {
        let server = try CloudletSubject(node: lab.newFolder(), database: address, credentials: [])
        defer { server.stop() }
        var costs = Costs()
        let chosen = names(of: active, among: people)
        let stopwatch = Stopwatch()
        try server.signIn(as: chosen)
        costs.signIn.add(stopwatch.seconds * 1000 / Double(active))
        let engine = try EngineProcesses(address)
        // The first requests fill the caches.
        _ = try load(server, name: "first\(people)", active, requests)
        for run in 0..<lab.runs {
            let before = server.process.processorSeconds
            let engineBefore = try engine.seconds()
            let latencies = try load(server, name: "run\(run)-\(people)", active, requests, run: run + 1)
            let node = try ProcessorTime.milliseconds(
                from: before, to: server.process.processorSeconds, for: requests)
            let ofEngine = try engine.seconds(since: engineBefore) * 1000 / Double(requests)
            costs.node.add(node)
            costs.engine.add(ofEngine)
            costs.total.add(node + ofEngine)
            costs.latency.add(latencies.median / 1000)
        }
        return costs
    }

    /// The names of people who are chosen at random.
    private func names(of active: Int, among people: Int) -> [String] {
        var random = SplitMix64(seed: lab.seed)
        var numbers: Set<Int> = []
        while numbers.count < active { numbers.insert(random.below(people)) }
        return numbers.sorted().map(PersonCopies.name)
    }

    /// Sends requests of the people who are signed in, checks the answers, and returns the latencies.
    private func load(
        _ server: CloudletSubject, name: String, _ active: Int, _ count: Int, run: Int = 0
    ) throws -> Samples {
        var random = SplitMix64(seed: lab.seed &+ UInt64(run))
        let changes = "{\"zones\":[{\"zoneID\":{\"zoneName\":\"\(zone)\"}}]}"
        let requests = (0..<count).map { number -> LoadRequest in
            let person = random.below(active)
            switch number % 4 {
            case 0:
                return server.creation(
                    of: CollectionOfOne(SampleRecord(number: number, seed: lab.seed)), prefix: name,
                    in: .private, zone: zone, person: person)
            case 1: return server.request(.private, "changes/zone", json: changes, person: person)
            default:
                let record = SampleRecord(number: random.below(records), seed: lab.seed)
                return server.lookup(of: record, prefix: prefix, in: .private, zone: zone, person: person)
            }
        }
        return try server.client(connections: connections).run(
            count: count, keepsBodies: true, check: CloudletSubject.checkRecords
        ) { requests[$0] }.latencies
    }
}
