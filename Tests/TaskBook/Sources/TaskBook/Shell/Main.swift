// Owns the command line: which person, which device, which command.
import Cloudlet
import Foundation

@main
struct Main {
    static let usage = """
        TaskBook [--as PERSON] --data FOLDER COMMAND, where COMMAND is
          sync
          ENTITY list | add FIELD=VALUE… | edit ID FIELD=VALUE… | delete ID
        and ENTITY is task or step.
        The beginning of an ID will do; DATE= takes a date away.
        A folder has the data of one person, the first whom --as names.
        Server, container and session are those of CLOUDLET_URL, CLOUDLET_CONTAINER and
        CLOUDLET_WEB_AUTH_TOKEN, as `cloudlet exec` sets them; --as signs in as somebody else.
        """

    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("error: \(words(of: error))\n".utf8))
            exit(1)
        }
    }

    /// What went wrong, for people.
    private static func words(of error: any Error) -> String {
        guard let error = error as? CKError else { return "\(error)" }
        let isUnheard = [.networkUnavailable, .networkFailure].contains(error.code)
        return error.localizedDescription + (isUnheard ? "; does the server run at \(server)?" : "")
    }

    static func run(_ words: [String]) async throws {
        var flags: [String: String] = [:]
        var rest = words
        while rest.count > 1, ["--as", "--data"].contains(rest[0]) {
            flags[rest[0]] = rest[1]
            rest.removeFirst(2)
        }
        if let word = rest.first, ["--help", "-h", "help"].contains(word) { return print(usage) }
        guard let path = flags["--data"] else { throw Trouble("where? --data FOLDER\n\(usage)") }
        let commands = ["sync", Task.command, Step.command]
        guard let command = rest.first, commands.contains(command) else {
            throw Trouble("there is no command `\(rest.first ?? "")`\n\(usage)")
        }
        rest.removeFirst()
        try await run(
            command, rest, as: flags["--as"], in: URL(fileURLWithPath: path, isDirectory: true))
    }

    private static func run(
        _ command: String, _ rest: [String], as name: String?, in folder: URL
    ) async throws {
        let environment = ProcessInfo.processInfo.environment
        let isSyncing = command == "sync"
        let person = name ?? environment["CLOUDLET_USER"]
        let owner = Owner(folder: folder)
        try owner.check(person)
        var connection = try await connection(as: name, isSyncing: isSyncing)
        connection.deviceName = folder.lastPathComponent
        let device = try Device(
            folder: folder, connection: connection,
            container: environment["CLOUDLET_CONTAINER"] ?? Device.container,
            now: { Date() }, pause: { try await _Concurrency.Task.sleep(for: $0) })
        try await owner.check(person, isSyncing: isSyncing, device.repository.replica)
        switch command {
        case Task.command:
            try await Commands<Task>(device: device).run(rest)
        case Step.command:
            try await Commands<Step>(device: device).run(rest)
        case _ where !rest.isEmpty: throw Trouble("sync takes no words\n\(usage)")
        default:
            try await device.sync.waitUntilIdle()
            print("in step")
        }
        try owner.keep(person)
    }

    private static var server: String {
        ProcessInfo.processInfo.environment["CLOUDLET_URL"] ?? "http://127.0.0.1:8080"
    }

    private static func connection(
        as person: String?, isSyncing: Bool
    ) async throws -> CloudConnection {
        let environment = ProcessInfo.processInfo.environment
        guard let url = URL(string: server) else { throw Trouble("CLOUDLET_URL is no address") }
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
}
