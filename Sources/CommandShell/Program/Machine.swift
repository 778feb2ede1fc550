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
}
