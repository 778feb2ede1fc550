import Foundation

/// PocketBase with its default settings, except that the batch API is enabled. It has one collection with the
/// fields and indexes of `SampleRecord`. Anyone may read and write, so access rules cost no time.
final class PeerSubject {
    let process: ChildProcess
    /// The differences between the peer and Cloudlet that affect the figures, for a note.
    private(set) var differences = ""
    static let collection = "items"

    /// - Parameter folder: A folder for this peer alone. The peer stores its data in it and writes its
    ///   migrations beside them.
    init(binary: String, folder: URL) throws {
        let executable = URL(fileURLWithPath: binary)
        let data = folder.appendingPathComponent("data").path
        let person = ["bench@example.org", "benchmarks-1234"]
        try Self.run(executable, ["superuser", "upsert"] + person + ["--dir", data])
        let address = try HTTPAddress(host: "127.0.0.1", port: LoopbackSocket.freePort())
        process = try ChildProcess(
            executable: URL(fileURLWithPath: "/bin/sh"),
            // The peer does not watch its standard input, so a shell ends it when the input ends.
            arguments: [
                "-c", "\"$0\" \"$@\" & cat > /dev/null; kill $!; wait", binary,
                "serve", "--http", "127.0.0.1:\(address.port)", "--dir", data,
            ],
            announcement: .none(address)
        )
        do {
            let token = try signIn(person[0], person[1])
            try makeCollection(token: token)
            differences = try differences(of: Self.run(executable, ["--version"]), token: token)
        } catch {
            process.stop()
            throw error
        }
    }

    /// Runs the program to its end and returns its output.
    @discardableResult
    private static func run(_ executable: URL, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Asks the peer whether it logs requests, which Cloudlet does not: with `logs.maxDays` above 0 and
    /// `logs.minLevel` at most 0, it writes each request to a separate database, some hundred at a time.
    private func differences(of version: String, token: String) throws -> String {
        struct Settings: Decodable {
            struct Logs: Decodable {
                var maxDays: Int
                var minLevel: Int
            }

            var logs: Logs
        }
        let request = LoadRequest("GET", "/api/settings", headers: ["Authorization: \(token)"])
        let logs = try JSONDecoder().decode(
            Settings.self, from: Data(client(connections: 1).call(request))
        ).logs
        let isLogging = logs.maxDays > 0 && logs.minLevel <= 0
        return """
            the peer (\(version)) does not flush its commits (synchronous = NORMAL) and logs \
            \(isLogging ? "each request" : "no requests") (logs.maxDays \(logs.maxDays), \
            logs.minLevel \(logs.minLevel))
            """
    }

    func stop() {
        process.stop()
    }

    func client(connections: Int) -> LoadClient {
        LoadClient(address: process.address, connections: connections)
    }

    func creation(of record: SampleRecord) -> LoadRequest {
        LoadRequest("POST", "/api/collections/\(Self.collection)/records", json: record.peerJSON)
    }

    func creation(of records: some Sequence<SampleRecord>) -> LoadRequest {
        let requests = records.map { record in
            """
            {"method":"POST","url":"/api/collections/\(Self.collection)/records","body":\(record.peerJSON)}
            """
        }
        return LoadRequest("POST", "/api/batch", json: "{\"requests\":[\(requests.joined(separator: ","))]}")
    }

    func fill(_ count: Int, seed: UInt64) throws {
        let batch = 200
        _ = try client(connections: 4).run(count: (count + batch - 1) / batch) { number in
            creation(
                of: (number * batch..<min(count, (number + 1) * batch)).map {
                    SampleRecord(number: $0, seed: seed)
                })
        }
    }

    /// A query for the newest records that refer to one parent. With `counts` the peer also counts all
    /// matches, as its client library requests by default.
    func newest(of parent: String, limit: Int, counts: Bool) -> LoadRequest {
        let query =
            "filter=parent%3D'\(parent)'&sort=-created&perPage=\(limit)" + (counts ? "" : "&skipTotal=1")
        return LoadRequest("GET", "/api/collections/\(Self.collection)/records?\(query)")
    }

    /// A request for one page of all records. The peer's largest page has 1000 records.
    func listing(page: Int, size: Int) -> LoadRequest {
        let query = "page=\(page)&perPage=\(size)&skipTotal=1&sort=@rowid"
        return LoadRequest("GET", "/api/collections/\(Self.collection)/records?\(query)")
    }

    private func signIn(_ identity: String, _ password: String) throws -> String {
        struct Session: Decodable {
            var token: String
        }
        let json = "{\"identity\":\"\(identity)\",\"password\":\"\(password)\"}"
        let request = LoadRequest("POST", "/api/collections/_superusers/auth-with-password", json: json)
        return try JSONDecoder().decode(Session.self, from: Data(client(connections: 1).call(request))).token
    }

    private func makeCollection(token: String) throws {
        let headers = ["Authorization: \(token)"]
        let settings = """
            {"batch":{"enabled":true,"maxRequests":200,"timeout":30,"maxBodySize":16000000}}
            """
        let name = Self.collection
        let collection = """
            {"name":"\(name)","type":"base","listRule":"","viewRule":"","createRule":"","fields":[\
            {"name":"title","type":"text"},{"name":"guests","type":"number"},\
            {"name":"starts","type":"number"},\
            {"name":"parent","type":"text"},{"name":"created","type":"autodate","onCreate":true}],"indexes":[\
            "CREATE INDEX idx_title ON \(name) (title)","CREATE INDEX idx_guests ON \(name) (guests)",\
            "CREATE INDEX idx_starts ON \(name) (starts)",\
            "CREATE INDEX idx_parent ON \(name) (parent, created)"]}
            """
        let client = client(connections: 1)
        _ = try client.call(LoadRequest("PATCH", "/api/settings", headers: headers, json: settings))
        _ = try client.call(LoadRequest("POST", "/api/collections", headers: headers, json: collection))
    }
}
