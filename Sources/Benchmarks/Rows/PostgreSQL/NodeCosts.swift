import Foundation
import Synchronization

/// N5: the processor time of a node per request, with one, two and four nodes on one database.
struct NodeCosts: PostgreSQLRow {
    static let name = "N5"
    static let title = "PostgreSQL: processor time of a node per request, with 1, 2 and 4 nodes"

    let lab: Lab
    private static let counts = [1, 2, 4]
    /// The connections to each node.
    private let connections = 8
    /// The records of each person, and of the public database, before the measurement.
    private let ownRecords = 20
    private let publicRecords = 2000

    init(lab: Lab) {
        self.lab = lab
    }

    /// A database with people, which nodes serve.
    private struct World {
        var address: String
        var credentials: [String]
    }

    /// The processor times per request, in milliseconds.
    private struct Costs {
        /// For each of the numbers of nodes.
        var ofCounts = NodeCosts.counts.map { _ in Samples() }
        /// The ratio of the largest to the smallest in each run.
        var apart = Samples()
    }

    func measure(_ subject: PostgreSQLSubject, _ report: inout RowReport) async throws {
        let requests = lab.scaled(4000, by: 4)
        let costs = try subject.withNewSchema { try measure(in: makeWorld($0), requests) }
        report.value = costs.ofCounts[2]
        report.unit = "ms"
        report.figures = [
            .init(name: "1 node", samples: costs.ofCounts[0], unit: "ms"),
            .init(name: "2 nodes", samples: costs.ofCounts[1], unit: "ms"),
            .init(name: "apart", samples: costs.apart, unit: "times"),
        ]
        report.targets = ["apart": .limit(1.1)]
        report.parameters = [
            "\(requests) requests to each node", "\(CloudletSubject.people) people",
            "\(connections) connections to each node",
        ]
        report.notes = [
            "the value is the processor time per request of four nodes, the engine's is not included",
            "requests save and fetch a record, of the private database and of the public one, in turn",
            "apart is the largest of the three times divided by the smallest, in each run",
        ]
    }

    private func measure(in world: World, _ requests: Int) throws -> Costs {
        var costs = Costs()
        for run in 0..<lab.runs {
            var ofRun = Samples()
            // The order alternates, because the database grows from one measurement to the next.
            let indices = Array(Self.counts.indices)
            for index in run % 2 == 0 ? indices : indices.reversed() {
                let cost = try milliseconds(
                    of: Self.counts[index], in: world, name: "r\(run)", requests: requests)
                costs.ofCounts[index].add(cost)
                ofRun.add(cost)
            }
            costs.apart.add(ofRun.most / ofRun.least)
        }
        return costs
    }

    /// Imports the schema, signs people in, and saves the records that are fetched later.
    private func makeWorld(_ address: String) throws -> World {
        try CloudletSubject.serving(lab.newFolder(), database: address) { server in
            try server.fill(publicRecords, seed: lab.seed)
            let records = (0..<ownRecords).map { SampleRecord(number: $0, seed: lab.seed) }
            _ = try server.client(connections: 4).run(
                count: CloudletSubject.people, keepsBodies: true, check: CloudletSubject.checkRecords
            ) { person in
                server.creation(of: records, prefix: "own", in: .private, person: person)
            }
            return World(address: address, credentials: server.credentials)
        }
    }

    /// Starts this many nodes, and returns their processor time per request. A part of the requests comes
    /// first and is not measured.
    private func milliseconds(
        of count: Int, in world: World, name: String, requests: Int
    ) throws -> Double {
        var nodes: [CloudletSubject] = []
        defer { for node in nodes { node.stop() } }
        for _ in 0..<count {
            nodes.append(
                try CloudletSubject(
                    node: lab.newFolder(), database: world.address, credentials: world.credentials))
        }
        try load(nodes, name: "\(name)-\(count)-first", requests: max(4, requests / 4))
        let before = processorSeconds(of: nodes)
        try load(nodes, name: "\(name)-\(count)", requests: requests)
        return try ProcessorTime.milliseconds(
            from: before, to: processorSeconds(of: nodes), for: requests * count)
    }

    /// The processor time of all nodes together; nil if the system does not report it.
    private func processorSeconds(of nodes: [CloudletSubject]) -> Double? {
        let known = nodes.compactMap(\.process.processorSeconds)
        return known.count == nodes.count ? known.reduce(0, +) : nil
    }

    /// Sends requests to all nodes at once, the same number to each, and checks the answers.
    private func load(_ nodes: [CloudletSubject], name: String, requests count: Int) throws {
        let failure = Mutex<String?>(nil)
        let done = DispatchGroup()
        for (index, node) in nodes.enumerated() {
            let requests = (0..<count).map { request($0, to: node, index, of: nodes.count, name: name) }
            let client = node.client(connections: connections)
            done.enter()
            let thread = Thread {
                defer { done.leave() }
                do {
                    _ = try client.run(
                        count: count, keepsBodies: true, check: CloudletSubject.checkRecords
                    ) { requests[$0] }
                } catch {
                    failure.withLock { $0 = "\(error)" }
                }
            }
            thread.start()
        }
        done.wait()
        if let failure = failure.withLock({ $0 }) { throw BenchmarkError(failure) }
    }

    /// A request to a node. Each person uses one node.
    private func request(
        _ number: Int, to node: CloudletSubject, _ index: Int, of nodes: Int, name: String
    ) -> LoadRequest {
        let person = number / 4 % (CloudletSubject.people / nodes) * nodes + index
        let record = SampleRecord(number: number, seed: lab.seed)
        let (own, shared) = (number / 4 % ownRecords, number / 4 % publicRecords)
        return switch number % 4 {
        case 0:
            node.creation(
                of: CollectionOfOne(record), prefix: "\(name)-\(index)", in: .private, person: person)
        case 1:
            node.lookup(
                of: SampleRecord(number: own, seed: lab.seed), prefix: "own", in: .private, person: person)
        case 2: node.creation(of: CollectionOfOne(record), prefix: "\(name)-\(index)", person: person)
        default:
            node.lookup(
                of: SampleRecord(number: shared, seed: lab.seed), prefix: "fill", in: .public, person: person)
        }
    }
}
