// Owns the command line: which person, which device, which command.
import Cloudlet
import Foundation

@main
struct Main {
    static let usage = """
        TaskBook [--as PERSON] --data FOLDER COMMAND, where COMMAND is
          sync
          ENTITY list | add FIELD=VALUE… | edit ID FIELD=VALUE… | delete ID
        and ENTITY is task
        Server, container and session are those of CLOUDLET_URL, CLOUDLET_CONTAINER and
        CLOUDLET_WEB_AUTH_TOKEN, as `cloudlet exec` sets them; --as signs in as somebody else.
        """

    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("error: \(error)\n".utf8))
            exit(1)
        }
    }
    static func run(_ words: [String]) async throws {
        let environment = ProcessInfo.processInfo.environment
        var flags: [String: String] = [:]
        var rest = words
        while rest.count > 1, ["--as", "--data"].contains(rest[0]) {
            flags[rest[0]] = rest[1]
            rest.removeFirst(2)
        }
        guard let path = flags["--data"], let command = rest.first else { throw Trouble(usage) }
        rest.removeFirst()
        let folder = URL(fileURLWithPath: path, isDirectory: true)
        var connection = try await connection(as: flags["--as"], isSyncing: command == "sync")
        connection.deviceName = folder.lastPathComponent
        let device = try Device(
            folder: folder, connection: connection,
            container: environment["CLOUDLET_CONTAINER"] ?? Device.container,
            now: { Date() }, pause: { try await _Concurrency.Task.sleep(for: $0) })
        switch command {
        case "sync":
            try await device.sync.waitUntilIdle()
            print("in step")
        case Task.command: try await Self.work(on: Task.self, device, rest)
        default: throw Trouble(usage)
        }
    }

    private static func connection(
        as person: String?, isSyncing: Bool
    ) async throws -> CloudConnection {
        let environment = ProcessInfo.processInfo.environment
        guard let url = URL(string: environment["CLOUDLET_URL"] ?? "http://127.0.0.1:8080") else {
            throw Trouble("CLOUDLET_URL is no address")
        }
        let isProduction = environment["CLOUDLET_ENVIRONMENT"] == "production"
        let connection = CloudConnection(
            url: url, environment: isProduction ? .production : .development,
            apiToken: environment["CLOUDLET_API_TOKEN"],
            webAuthToken: environment["CLOUDLET_WEB_AUTH_TOKEN"])
        // Without a sync nothing goes over the network.
        if !isSyncing { return connection }
        if let person { return try await connection.signingIn(as: person) }
        if environment["CLOUDLET_WEB_AUTH_TOKEN"] != nil { return connection }
        throw Trouble("say who you are: --as PERSON, or CLOUDLET_WEB_AUTH_TOKEN")
    }

    private static func work<Model: Typeable>(
        on type: Model.Type, _ device: Device, _ words: [String]
    ) async throws {
        switch words.first {
        case "list": for model in try await device.repository.all(type) { print(model.line) }
        case "add":
            try await save(Model(id: UUID().uuidString), words.dropFirst(), device)
        case "edit" where words.count > 1:
            let all = try await device.repository.all(type)
            guard let model = all.first(where: { $0.id.hasPrefix(words[1]) }) else {
                throw Trouble("there is no \(type.command) \(words[1])")
            }
            try await save(model, words.dropFirst(2), device)
        case "delete" where words.count > 1: try await device.repository.delete(words[1])
        default: throw Trouble(usage)
        }
    }

    private static func save<Model: Typeable>(
        _ model: Model, _ words: ArraySlice<String>, _ device: Device
    ) async throws {
        var model = model
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw Trouble("FIELD=VALUE, not \(word)") }
            try model.set(String(parts[0]), to: String(parts[1]))
        }
        try await device.repository.save(model)
        print(model.line)
    }
}
