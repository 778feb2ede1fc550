import Foundation
import Records
import RecordsWire

/// A server in a process of its own, a person who is signed in, and the requests that rows send.
final class CloudletSubject {
    let process: ChildProcess
    private let credentials: String
    static let container = "iCloud.org.cloudlet.benchmarks"

    enum Database: String {
        case `public`
        case `private`
    }

    init(data: URL) throws {
        process = try ChildProcess(arguments: ["serve-cloudlet", "--data", data.path])
        credentials = try Self.signIn(at: process.address)
        try declareType(key: String(contentsOf: data.appendingPathComponent("operator.key"), encoding: .utf8))
    }

    /// Gives the type the indexes that it needs and no others, as an app does that goes into production.
    private func declareType(key: String) throws {
        let key = key.trimmingCharacters(in: .whitespacesAndNewlines)
        let schema = SchemaInput(SampleRecord.schema, for: Self.container)
        let client = client(connections: 1)
        _ = try client.call(LoadRequest(CreateContainer(Self.container), key: key))
        _ = try client.call(LoadRequest(ImportSchema(schema), key: key))
    }

    func stop() {
        process.stop()
    }

    func client(connections: Int) -> LoadClient {
        LoadClient(address: process.address, connections: connections)
    }

    func request(_ database: Database, _ action: String, json: String) -> LoadRequest {
        let environment = "/database/1/\(Self.container)/development/\(database.rawValue)"
        return LoadRequest("POST", "\(environment)/\(action)?\(credentials)", json: json)
    }

    func call(_ database: Database, _ action: String, json: String) throws -> [UInt8] {
        try client(connections: 1).call(request(database, action, json: json))
    }

    /// Creates records in one request.
    func creation(
        of records: some Sequence<SampleRecord>, prefix: String, in database: Database = .public,
        zone: String? = nil
    ) -> LoadRequest {
        let operations = records.map { record in
            """
            {"operationType":"create","record":{"recordName":"\(record.name(prefix))",\
            "recordType":"\(SampleRecord.type)","fields":\(record.fieldsJSON)}}
            """
        }
        let zone = zone.map { "\"zoneID\":{\"zoneName\":\"\($0)\"}," } ?? ""
        let body = "{\(zone)\"operations\":[\(operations.joined(separator: ","))]}"
        return request(database, "records/modify", json: body)
    }

    /// Fills a database as fast as it goes.
    func fill(
        _ count: Int, seed: UInt64, in database: Database = .public, zone: String? = nil
    ) throws {
        let batch = 200
        _ = try client(connections: 4).run(count: (count + batch - 1) / batch, check: Self.checkRecords) {
            number in
            let records = (number * batch..<min(count, (number + 1) * batch)).map {
                SampleRecord(number: $0, seed: seed)
            }
            return creation(of: records, prefix: "fill", in: database, zone: zone)
        }
    }

    /// The newest records that refer to one parent.
    func newest(of parent: String, limit: Int) -> LoadRequest {
        let json = """
            {"query":{"recordType":"\(SampleRecord.type)","filterBy":[{"fieldName":"parent",\
            "comparator":"EQUALS",\
            "fieldValue":{"value":{"recordName":"\(parent)","action":"NONE"},"type":"REFERENCE"}}],\
            "sortBy":[{"systemFieldName":"createdTimestamp","ascending":false}]},"resultsLimit":\(limit)}
            """
        return request(.public, "records/query", json: json)
    }

    /// Throws unless the answer has records and no error.
    static func checkRecords(_ body: [UInt8]) throws {
        let text = String(decoding: body, as: UTF8.self)
        guard text.contains("\"recordName\""), !text.contains("serverErrorCode") else {
            throw BenchmarkError("the server answered: \(text.prefix(500))")
        }
    }

    private static func signIn(at address: HTTPAddress) throws -> String {
        let request = LoadRequest(SignInByName("bench"))
        return try credentials(in: LoadClient(address: address, connections: 1).call(request))
    }

    /// The part of a query string that says who asks, from the answer to a sign-in.
    ///
    /// - Parameter apiToken: the token of the app, where it shows one.
    static func credentials(in body: [UInt8], apiToken: String? = "benchmarks") throws -> String {
        let token = try SignIn(bytes: body).webAuthToken
        return RequestParameters(apiToken: apiToken, webAuthToken: token).text
    }
}
