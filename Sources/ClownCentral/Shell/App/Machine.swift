// Owns what a process knows about the machine it runs on.
import CommandText
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
    public var home: String { UserFolder.home(environment) }

    /// The variables without the token of another app, which lets this one in nowhere.
    public var environmentOfApp: [String: String] {
        let container = environment["CLOUDLET_CONTAINER"] ?? Site.containerIdentifier
        if container == Site.containerIdentifier { return environment }
        return environment.filter { $0.key != "CLOUDLET_API_TOKEN" }
    }

    /// The machine as a server may know it that the file of a project names: without the secrets that its
    /// environment holds for another one.
    public var withoutSecrets: Machine {
        let secrets: Set = ["CLOUDLET_PASSWORD", "CLOUDLET_API_TOKEN", "CLOUDLET_OPERATOR_KEY_FILE"]
        return Machine(
            now: now, pause: pause, randomSeed: randomSeed,
            environment: environment.filter { !secrets.contains($0.key) }, executable: executable,
            currentFolder: currentFolder, workFolder: workFolder)
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
