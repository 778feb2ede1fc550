import Foundation

/// PocketBase as its manual has it run, `serve` with the settings that it comes with, but for batches, which
/// it does not take by itself. It has one collection with the fields and indexes of `SampleRecord`. Anyone
/// may read and write, so no time goes into its access rules.
final class PeerSubject {
    let process: ChildProcess
    /// What makes its figures differ from Cloudlet's, for a note beside them.
    private(set) var differences = ""
    static let collection = "items"

    /// - Parameter folder: for this peer alone; beside its data it also keeps what it remembers of
    ///   collections.
    init(binary: String, folder: URL) throws {
        let executable = URL(fileURLWithPath: binary)
        let data = folder.appendingPathComponent("data").path
        let person = ["bench@example.org", "benchmarks-1234"]
        try Self.run(executable, ["superuser", "upsert"] + person + ["--dir", data])
        let address = try HTTPAddress(host: "127.0.0.1", port: LoopbackSocket.freePort())
        process = try ChildProcess(
            executable: URL(fileURLWithPath: "/bin/sh"),
            // The peer does not look at its standard input; the shell does it in its place.
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

    /// Runs the program to its end and returns what it printed.
    @discardableResult
    private static func run(_ executable: URL, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: said, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Asks the running peer whether it logs requests, which Cloudlet does not: with `logs.maxDays` above 0
    /// and `logs.minLevel` at most 0 it writes each one into a database of its own, some hundred at a time.
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

    /// The newest records of one parent, counted as its client library does, or not.
    func newest(of parent: String, limit: Int, counts: Bool) -> LoadRequest {
        let query =
            "filter=parent%3D'\(parent)'&sort=-created&perPage=\(limit)" + (counts ? "" : "&skipTotal=1")
        return LoadRequest("GET", "/api/collections/\(Self.collection)/records?\(query)")
    }

    /// One page of everything; it gives 1000 at most.
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
