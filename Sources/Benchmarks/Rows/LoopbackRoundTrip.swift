import CloudletServer
import Foundation
import Records
import RecordsWire

/// P11: the time of a save and of a fetch against a server in the same process, without a socket, as in an
/// app's tests.
struct LoopbackRoundTrip: BenchmarkRow {
    static let name = "P11"
    static let title = "in-process loopback round trip, ephemeral"

    let lab: Lab
    private static let environment = "/database/1/\(CloudletSubject.container)/development/public"

    init(lab: Lab) {
        self.lab = lab
    }

    func run() async throws -> RowReport {
        let count = lab.scaled(5000)
        let records = (0..<count).map { SampleRecord(number: $0, seed: lab.seed) }
        var report = RowReport(Self.self)
        var save = Samples()
        var fetch = Samples()
        for _ in 0..<lab.runs {
            let server = try await CloudletServer.start(.ephemeral)
            let credentials = try await signIn(server.transport)
            let target = Self.environment + "/records"
            save.add(
                try await median(records, server.transport, "\(target)/modify?\(credentials)") { record in
                    """
                    {"operations":[{"operationType":"create","record":{"recordName":"\(record.name("run"))",\
                    "recordType":"\(SampleRecord.type)","fields":\(record.fieldsJSON)}}]}
                    """
                })
            fetch.add(
                try await median(records, server.transport, "\(target)/lookup?\(credentials)") { record in
                    "{\"records\":[{\"recordName\":\"\(record.name("run"))\"}]}"
                })
            await server.stop()
        }
        report.value = save
        report.unit = "µs"
        report.figures = [
            .init(name: "save", samples: save, unit: "µs"), .init(name: "fetch", samples: fetch, unit: "µs"),
        ]
        report.targets = ["save": .limit(120), "fetch": .limit(20)]
        report.parameters = ["\(count) of each, one after the other", "ephemeral", "seed \(lab.seed)"]
        return report
    }

    private func median(
        _ records: [SampleRecord],
        _ transport: any CloudTransport,
        _ target: String,
        body: (SampleRecord) -> String
    ) async throws -> Double {
        var samples = Samples()
        for record in records {
            let request = CloudRequest(.post, target, body: .bytes(Array(body(record).utf8)))
            let stopwatch = Stopwatch()
            let response = try await transport.send(request)
            samples.add(stopwatch.microseconds)
            if record.number == 0 { try CloudletSubject.checkRecords(response.bytes) }
        }
        return samples.median
    }

    private func signIn(_ transport: any CloudTransport) async throws -> String {
        let token = try await transport.send(SignInByName("bench")).webAuthToken
        return RequestParameters(apiToken: "benchmarks", webAuthToken: token).text
    }
}
