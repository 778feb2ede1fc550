public import Foundation

/// What differs between two runs of a shell: the clock, the random seed, the environment and the folders.
public struct Machine: Sendable {
    /// The current time.
    public let now: @Sendable () -> Date
    /// A random number for generated identifiers.
    public let randomSeed: UInt64
    /// Waits for a number of seconds.
    public let pause: @Sendable (TimeInterval) async throws -> Void
    /// The environment variables.
    public let environment: [String: String]
    /// The path of the program's executable.
    public let executable: String?
    /// The current folder of the process.
    public let currentFolder: URL
    /// A temporary folder for this process. It is created when needed and deleted at the end.
    public let workFolder: URL

    /// Creates a description of a machine.
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

    /// The user's home folder, which `~` in a path stands for.
    public var home: String { UserFolder.home(environment) }
}
