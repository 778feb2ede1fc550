import Foundation
import Records
import RecordsWire

/// Cloudlet in a child process, with signed-in people and the requests that the rows send.
final class CloudletSubject {
    let process: ChildProcess
    private let data: URL
    /// The credentials of each person as part of a query string.
    private(set) var credentials: [String]
    static let container = "iCloud.org.cloudlet.benchmarks"
    /// The number of people that share the load. With fewer, one person would exceed the request limit.
    static let people = 32

    enum Database: String {
        case `public`
        case `private`
        case shared
    }

    /// Starts the server on a folder, and signs people in. For a new folder, it also imports the schema of
    /// `SampleRecord`.
    ///
    /// - Parameter database: The URL of an empty PostgreSQL database for the data; nil: the folder has them.
    init(
        data: URL, limits: CloudletProgram.Limits = .shipped, countsRequests: Bool = true,
        database: String? = nil
    ) throws {
        self.data = data
        let isNew = !FileManager.default.fileExists(atPath: Self.containers(in: data).path)
        let process = try CloudletProgram.serve(
            data, limits, countsRequests: countsRequests, database: database)
        self.process = process
        do {
            credentials = try Self.signIn((0..<Self.people).map(Self.name), at: process.address)
            guard isNew else { return }
            let key = data.appendingPathComponent("operator.key")
            try declareType(key: String(contentsOf: key, encoding: .utf8))
        } catch {
            process.stop()
            throw error
        }
    }

    /// Starts a further server on a database to which another one has imported the schema.
    ///
    /// - Parameters:
    ///   - data: An empty folder.
    ///   - database: The URL of the PostgreSQL database.
    ///   - credentials: Those of the people who are signed in.
    init(node data: URL, database: String, credentials: [String]) throws {
        self.data = data
        self.credentials = credentials
        process = try CloudletProgram.serve(data, .shipped, database: database)
    }

    /// Runs `work` with a server and then stops the server.
    static func serving<Value>(
        _ data: URL, limits: CloudletProgram.Limits = .shipped, countsRequests: Bool = true,
        database: String? = nil, _ work: (CloudletSubject) throws -> Value
    ) throws -> Value {
        let server = try CloudletSubject(
            data: data, limits: limits, countsRequests: countsRequests, database: database)
        defer { server.stop() }
        return try work(server)
    }

    /// Imports a schema with only the indexes that the rows need, as an app in production does.
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

    /// A request by the person `person` modulo the number of people.
    func request(_ database: Database, _ action: String, json: String, person: Int = 0) -> LoadRequest {
        let environment = "/database/1/\(Self.container)/development/\(database.rawValue)"
        let credentials = credentials[person % credentials.count]
        return LoadRequest("POST", "\(environment)/\(action)?\(credentials)", json: json)
    }

    func call(_ database: Database, _ action: String, json: String) throws -> [UInt8] {
        try client(connections: 1).call(request(database, action, json: json))
    }

    /// A request that creates these records.
    ///
    /// - Parameter parent: the record name of their parent in a share hierarchy.
    func creation(
        of records: some Sequence<SampleRecord>, prefix: String, in database: Database = .public,
        zone: String? = nil, below parent: String? = nil, person: Int = 0
    ) -> LoadRequest {
        let parent = parent.map { ",\"parent\":{\"recordName\":\"\($0)\"}" } ?? ""
        let operations = records.map { record in
            """
            {"operationType":"create","record":{"recordName":"\(record.name(prefix))",\
            "recordType":"\(SampleRecord.type)","fields":\(record.fieldsJSON)\(parent)}}
            """
        }
        let zone = zone.map { "\"zoneID\":{\"zoneName\":\"\($0)\"}," } ?? ""
        let body = "{\(zone)\"operations\":[\(operations.joined(separator: ","))]}"
        return request(database, "records/modify", json: body, person: person)
    }

    /// Fills a database over several connections.
    func fill(
        _ count: Int, seed: UInt64, prefix: String = "fill", in database: Database = .public,
        zone: String? = nil, below parent: String? = nil
    ) throws {
        let batch = 200
        _ = try client(connections: 4).run(count: (count + batch - 1) / batch, check: Self.checkRecords) {
            number in
            let records = (number * batch..<min(count, (number + 1) * batch)).map {
                SampleRecord(number: $0, seed: seed)
            }
            return creation(of: records, prefix: prefix, in: database, zone: zone, below: parent)
        }
    }

    /// A request for one record.
    func lookup(
        of record: SampleRecord, prefix: String, in database: Database, zone: String? = nil, person: Int
    ) -> LoadRequest {
        let zone = zone.map { "\"zoneID\":{\"zoneName\":\"\($0)\"}," } ?? ""
        let json = "{\(zone)\"records\":[{\"recordName\":\"\(record.name(prefix))\"}]}"
        return request(database, "records/lookup", json: json, person: person)
    }

    /// A query for the newest records that refer to one parent.
    func newest(of parent: String, limit: Int, person: Int) -> LoadRequest {
        let json = """
            {"query":{"recordType":"\(SampleRecord.type)","filterBy":[{"fieldName":"parent",\
            "comparator":"EQUALS",\
            "fieldValue":{"value":{"recordName":"\(parent)","action":"NONE"},"type":"REFERENCE"}}],\
            "sortBy":[{"systemFieldName":"createdTimestamp","ascending":false}]},"resultsLimit":\(limit)}
            """
        return request(.public, "records/query", json: json, person: person)
    }

    /// Creates a zone in the private database of the first person.
    func makeZone(_ name: String) throws {
        let json = """
            {"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"\(name)"}}}]}
            """
        _ = try call(.private, "zones/modify", json: json)
    }

    /// Throws unless the response contains records and no error.
    static func checkRecords(_ body: [UInt8]) throws {
        let text = String(decoding: body, as: UTF8.self)
        guard text.contains("\"recordName\""), !text.contains("serverErrorCode") else {
            throw BenchmarkError("the server answered: \(text.prefix(500))")
        }
    }
}

// MARK: - People

extension CloudletSubject {
    /// Signs in the first person and returns the session token.
    func signIn() throws -> String {
        try SignIn(bytes: client(connections: 1).call(LoadRequest(SignInByName(Self.name(0))))).webAuthToken
    }

    /// Signs people in. From then on, they send the requests instead of those before.
    func signIn(as names: [String]) throws {
        credentials = try Self.signIn(names, at: process.address)
    }

    /// The name with which a person signs in.
    static func name(_ person: Int) -> String { "bench\(person)" }

    private static func signIn(_ names: [String], at address: HTTPAddress) throws -> [String] {
        let client = LoadClient(address: address, connections: 1)
        return try names.map { try credentials(in: client.call(LoadRequest(SignInByName($0)))) }
    }

    /// The credentials in the response to a sign-in, as part of a query string.
    ///
    /// - Parameter apiToken: The app's API token, if it is sent.
    static func credentials(in body: [UInt8], apiToken: String? = "benchmarks") throws -> String {
        let token = try SignIn(bytes: body).webAuthToken
        return RequestParameters(apiToken: apiToken, webAuthToken: token).text
    }
}

// MARK: - Files

extension CloudletSubject {
    private static func containers(in data: URL) -> URL { data.appendingPathComponent("containers") }

    /// The database file with the records: the largest one for a public or private database.
    func file(of database: Database) throws -> URL {
        let folder = Self.containers(in: data)
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        let files = paths.filter { path in
            path.hasSuffix(".sqlite") && path.hasSuffix("/public.sqlite") == (database == .public)
        }
        let found = files.map(folder.appendingPathComponent).max { Self.size($0) < Self.size($1) }
        guard let found else {
            throw BenchmarkError("there is no \(database.rawValue) database in \(folder.path)")
        }
        return found
    }

    private static func size(_ file: URL) -> Int {
        // The write-ahead log contains changes that are not in the file yet.
        [file.path, file.path + "-wal"].reduce(0) { sum, path in
            let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            return sum + (size ?? 0)
        }
    }
}
