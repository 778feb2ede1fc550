// Owns the texts of a new app's command line and of its tests.
import Foundation

extension AppTemplate {
    func text(_ entity: EntitySpec) -> String {
        let cases = entity.fields.map { "        case \"\($0.name)\": \($0.parsing)" }
        let shown = entity.fields.map { "        words.append(\"\($0.name)=\" + (\($0.showing)))" }
        return """
            // Owns the \(entity.command) as it is typed and shown.
            import Foundation

            extension \(entity.name): Typeable {
                static let command = "\(entity.command)"

                mutating func set(_ field: String, to text: String) throws {
                    switch field {
            \(cases.joined(separator: "\n"))
                    default: throw Trouble("\(entity.command) has no field \\(field)")
                    }
                }

                var line: String {
                    var words = [id]
            \(shown.joined(separator: "\n"))
                    return words.joined(separator: "  ")
                }
            }

            """
    }

    var typed: String { typeable + readers }

    private var typeable: String {
        """
        // Owns the reading of what is typed.
        import Foundation

        /// A model that can be typed and shown.
        protocol Typeable: Storable {
            static var command: String { get }
            init(id: String)
            mutating func set(_ field: String, to text: String) throws
            var line: String { get }
        }

        struct Trouble: Error, CustomStringConvertible {
            let description: String

            init(_ description: String) {
                self.description = description
            }
        }

        """
    }

    private var readers: String {
        """
        enum Typed {
            static func flag(_ text: String) throws -> Bool {
                switch text {
                case "yes", "true": return true
                case "no", "false": return false
                default: throw Trouble("yes or no, not \\(text)")
                }
            }

            static func whole(_ text: String) throws -> Int {
                guard let number = Int(text) else { throw Trouble("a whole number, not \\(text)") }
                return number
            }

            static func number(_ text: String) throws -> Double {
                guard let number = Double(text) else { throw Trouble("a number, not \\(text)") }
                return number
            }

            static func date(_ text: String) throws -> Date {
                do {
                    return try Date(text, strategy: .iso8601)
                } catch {
                    throw Trouble("a moment such as 2026-07-04T18:00:00Z, not \\(text)")
                }
            }
        }

        """
    }

    var main: String { mainEntry + mainRun + mainConnection + mainCommands }

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
                and ENTITY is \#(entities.map(\.command).joined(separator: " or "))
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

        """#
    }

    /// How words become a command for a device.
    private var mainRun: String {
        let commands = entities.map { entity in
            "        case \(entity.name).command: try await Self.work(on: \(entity.name).self, device, rest)"
        }
        return #"""
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
            \#(commands.joined(separator: "\n"))
                    default: throw Trouble(usage)
                    }
                }


            """#
    }

    /// How the app finds its server, and who it is there.
    private var mainConnection: String {
        #"""
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


        """#
    }

    /// What the commands about models do.
    private var mainCommands: String {
        #"""
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

        """#
    }

    var tests: String { testHead + syncTest(entities[0]) + unknownFieldsTest(entities[0]) }

    private var testHead: String {
        """
        // Owns the proof that two devices of one person come to have the same.
        import Cloudlet
        import CloudletTesting
        import Foundation
        import LocalReplica
        import Testing

        @testable import \(name)

        @Suite("\(name)")
        final class \(name)Tests {
            /// What the devices keep; removed at the end of each test.
            private let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("\(name)Tests-\\(UUID().uuidString)")

            deinit { try? FileManager.default.removeItem(at: folder) }

            private func device(_ name: String, in world: CloudletWorld) async throws -> Device {
                try Device(
                    folder: folder.appendingPathComponent(name),
                    connection: try await world.connection(of: "alice", on: name),
                    now: { world.clock.now },
                    pause: { world.clock.advance(bySeconds: $0 / .seconds(1)) })
            }


        """
    }

    private func syncTest(_ entity: EntitySpec) -> String {
        let sets = entity.fields.map { "        try model.set(\"\($0.name)\", to: \"\($0.example.typed)\")" }
        let checks = entity.fields.map { "        #expect(found.\($0.name) == \($0.example.value))" }
        return """
                @Test("What is typed on one device is on the other")
                func syncs() async throws {
                    let world = try await CloudletWorld.start()
                    let phone = try await device("phone", in: world)
                    let tablet = try await device("tablet", in: world)
                    var model = \(entity.name)(id: "1")
            \(sets.joined(separator: "\n"))
                    try await phone.repository.save(model)
                    try await phone.sync.waitUntilIdle()
                    try await tablet.sync.waitUntilIdle()
                    let found = try #require(try await tablet.repository.all(\(entity.name).self).first)
                    #expect(found == model)
            \(checks.joined(separator: "\n"))
                    try await tablet.repository.delete("1")
                    try await tablet.sync.waitUntilIdle()
                    try await phone.sync.waitUntilIdle()
                    #expect(try await phone.repository.all(\(entity.name).self).isEmpty)
                    await world.stop()
                }

            """
    }

    private func unknownFieldsTest(_ entity: EntitySpec) -> String {
        """
            @Test("Fields that this version knows nothing of stay")
            func unknownFields() {
                var record = ReplicaRecord(
                    type: \(entity.name).recordType, id: ReplicaID(zone: Repository.zone, name: "1"))
                record["ofTheFuture"] = "kept"
                \(entity.name)(record).write(to: &record)
                #expect(record["ofTheFuture"] == "kept")
            }
        }

        """
    }
}
