// Owns the texts of a new app's command line: flags, commands, connection.
import Foundation

extension AppTemplate {
    var main: String { mainEntry + mainRun + mainWork + mainConnection }

    private var mainEntry: String {
        #"""
        // Owns the command line: which person, which device, which command.
        import Cloudlet
        import Foundation

        @main
        struct Main {
            static let usage = """
                \#(name) [--as PERSON] --data FOLDER COMMAND, where COMMAND is
                  sync
                  ENTITY list | add FIELD=VALUE… | edit ID FIELD=VALUE… | delete ID
                and ENTITY is \#(entities.map(\.command).joined(separator: " or ")).
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


        """#
    }

    /// How words become a command for a device.
    private var mainRun: String {
        let names = ["\"sync\""] + entities.map { "\($0.name).command" }
        return #"""
                static func run(_ words: [String]) async throws {
                    var flags: [String: String] = [:]
                    var rest = words
                    while rest.count > 1, ["--as", "--data"].contains(rest[0]) {
                        flags[rest[0]] = rest[1]
                        rest.removeFirst(2)
                    }
                    if let word = rest.first, ["--help", "-h", "help"].contains(word) { return print(usage) }
                    guard let path = flags["--data"] else { throw Trouble("where? --data FOLDER\n\(usage)") }
                    let commands = [\#(names.joined(separator: ", "))]
                    guard let command = rest.first, commands.contains(command) else {
                        throw Trouble("there is no command `\(rest.first ?? "")`\n\(usage)")
                    }
                    rest.removeFirst()
                    try await run(
                        command, rest, as: flags["--as"], in: URL(fileURLWithPath: path, isDirectory: true))
                }


            """#
    }

    /// How a command is done for a person with the data of a folder.
    private var mainWork: String {
        let commands = entities.map { entity in
            "        case \(entity.name).command:\n"
                + "            try await Commands<\(entity.name)>(device: device).run(rest)"
        }
        return #"""
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
            \#(commands.joined(separator: "\n"))
                    case _ where !rest.isEmpty: throw Trouble("sync takes no words\n\(usage)")
                    default:
                        try await device.sync.waitUntilIdle()
                        print("in step")
                    }
                    try owner.keep(person)
                }


            """#
    }

    /// How the app finds its server, and who it is there.
    private var mainConnection: String {
        #"""
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

        """#
    }

    /// What the commands about models do.
    var commands: String { commandList + commandParts }

    private var commandList: String {
        #"""
        // Owns the commands about a model; each answers with what it did.
        import Foundation

        struct Commands<Model: Typeable> {
            let device: Device

            func run(_ words: [String]) async throws {
                let rest = words.dropFirst()
                switch (words.first, rest.count) {
                case ("list", 0): try await list()
                case ("add", 1...): try await save(Model(id: UUID().uuidString), rest)
                case ("edit", 2...): try await save(try await find(words[1]), rest.dropFirst())
                case ("delete", 1):
                    let model = try await find(words[1])
                    try await device.repository.delete(model.id)
                    print("deleted \(model.line)")
                default:
                    let typed = ([Model.command] + words).joined(separator: " ")
                    throw Trouble("`\(typed)` is no whole command, or too much of one\n\(Main.usage)")
                }
            }

            private func list() async throws {
                let models = try await device.repository.all(Model.self)
                for model in models { print(model.line) }
                guard models.isEmpty else { return }
                FileHandle.standardError.write(Data("there is no \(Model.command)\n".utf8))
            }


        """#
    }

    /// How a model is found and saved.
    private var commandParts: String {
        #"""
            /// The one whose ID begins so.
            private func find(_ beginning: String) async throws -> Model {
                let models = try await device.repository.all(Model.self)
                if let model = models.first(where: { $0.id == beginning }) { return model }
                let found = models.filter { $0.id.lowercased().hasPrefix(beginning.lowercased()) }
                if let model = found.first, found.count == 1, !beginning.isEmpty { return model }
                guard let model = found.first else {
                    let kind = Model.command
                    throw Trouble("there is no \(kind) \(beginning); `\(kind) list` shows all")
                }
                let lines = found.prefix(5).map { "  " + $0.line } + (found.count > 5 ? ["  …"] : [])
                let example = model.id.prefix(beginning.count + 4)
                throw Trouble(
                    "which one? Type more of its ID, such as \(example):\n" + lines.joined(separator: "\n"))
            }

            private func save(_ model: Model, _ words: ArraySlice<String>) async throws {
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

        """#
    }

    /// Whose data lies in a folder.
    var owner: String { ownerName + ownerChecks }

    private var ownerName: String {
        #"""
        // Owns whose data a folder has, by name: what was typed without a network goes to nobody else later.
        import Foundation
        import LocalReplica

        struct Owner: Sendable {
            let folder: URL

            /// The first person who was named there; nil: nobody was yet.
            var name: String? { try? String(contentsOf: file, encoding: .utf8) }

            private var file: URL { folder.appendingPathComponent("owner") }

            /// Throws for somebody else.
            func check(_ person: String?) throws {
                guard let name, let person, name != person else { return }
                throw Trouble(
                    "\(folder.path) has the data of \(name), not of \(person): say --as \(name), or name "
                        + "another folder for \(person) with --data")
            }


        """#
    }

    /// What is asked of the owner with the data at hand.
    private var ownerChecks: String {
        #"""
            /// Throws when it is not certain whose data would be read or sent. Once it was in step, the
            /// server knows that by itself.
            func check(_ person: String?, isSyncing: Bool, _ replica: LocalReplica) async throws {
                let wasInStep = try await replica.read { try $0.account() } != nil
                if wasInStep, !isSyncing, name == nil, let person {
                    throw Trouble("is \(folder.path) \(person)'s? `--as \(person) sync` finds out")
                }
                if !wasInStep, isSyncing, person == nil, let name {
                    throw Trouble("\(folder.path) has what \(name) typed: say --as \(name), or CLOUDLET_USER")
                }
            }

            /// Keeps the name, if it is the first.
            func keep(_ person: String?) throws {
                guard let person, name == nil else { return }
                try person.write(to: file, atomically: true, encoding: .utf8)
            }
        }

        """#
    }
}
