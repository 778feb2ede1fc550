// Owns what a process knows about the machine it runs on.
public import Foundation

/// The time, the environment and the folders: everything that differs between two runs, passed in at one
/// place.
public struct Machine: Sendable {
    /// The time of day.
    public let now: @Sendable () -> Date
    /// A number that differs from run to run, for identifiers.
    public let randomSeed: UInt64
    /// Lets so many seconds pass.
    public let pause: @Sendable (TimeInterval) async throws -> Void
    /// The environment variables.
    public let environment: [String: String]
    /// The path of the program.
    public let executable: String?
    /// The folder that the process was started in.
    public let currentFolder: URL
    /// A folder of this process alone, made when it is needed and removed at the end.
    public let workFolder: URL

    /// Describes a machine.
    public init(
        now: @escaping @Sendable () -> Date,
        pause: @escaping @Sendable (TimeInterval) async throws -> Void,
        randomSeed: UInt64,
        environment: [String: String],
        executable: String?,
        currentFolder: URL,
        workFolder: URL
    ) {
        self.now = now
        self.pause = pause
        self.randomSeed = randomSeed
        self.environment = environment
        self.executable = executable
        self.currentFolder = currentFolder
        self.workFolder = workFolder
    }

    /// The folder that `~` stands for.
    var home: String {
        environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
    }

    /// The server that other programs of Cloudlet speak to in this environment, as below `cloudlet exec`.
    public var serverAddress: String? {
        environment["CLOUDLET_URL"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The token for this app that the environment gives; one for another container lets it in nowhere.
    var apiToken: String? {
        let container = environment["CLOUDLET_CONTAINER"] ?? Site.containerIdentifier
        return container == Site.containerIdentifier ? environment["CLOUDLET_API_TOKEN"] : nil
    }

    /// The key that opens the operator's calls of that server, if this environment names its file.
    var operatorKey: String? {
        let text = environment["CLOUDLET_OPERATOR_KEY_FILE"].flatMap {
            try? String(contentsOfFile: $0, encoding: .utf8)
        }
        return text?.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Where devices keep their data when nobody says where: beside that of the server, and as long.
    func devices(for server: ShellOptions.Server) -> URL {
        switch server {
        case .ephemeral: workFolder.appendingPathComponent("devices", isDirectory: true)
        case .embedded(let folder):
            URL(fileURLWithPath: (folder ?? defaultDataFolder).path + "-devices", isDirectory: true)
        case .remote(let url):
            URL(fileURLWithPath: defaultDataFolder.path + "-devices", isDirectory: true)
                .appendingPathComponent(Site.escaped("\(url.host ?? "")-\(url.port ?? 80)"))
        }
    }

    /// Where a program keeps its data when nobody says where.
    var defaultDataFolder: URL {
        let data = environment["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? home + "/.local/share"
        return URL(fileURLWithPath: data + "/clown-central", isDirectory: true)
    }
}
