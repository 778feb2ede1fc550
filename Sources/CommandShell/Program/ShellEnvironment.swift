public import Foundation

/// Everything that a shell's commands get from outside, so that they can be repeated exactly.
public struct ShellEnvironment: Sendable {
    /// The shift of `now` by the command that moves the clock.
    public let clockShift = ClockShift()
    /// The clock of the commands.
    public var now: @Sendable () -> Date
    /// The real clock, for measuring. It runs even if `now` stands still, except in a scene of a walkthrough.
    public var wallClock: @Sendable () -> Date
    /// Waits for a number of seconds on the real clock.
    public var wallPause: @Sendable (TimeInterval) async throws -> Void = { _ in }
    /// Whether `now` stands still except when a command waits.
    public var isClockFixed = false
    /// Waits for a number of seconds on the shell's clock.
    public var pause: @Sendable (TimeInterval) async throws -> Void = { _ in }
    /// Waits for a number of seconds on the real clock, also in a scene of a walkthrough. Commands that wait
    /// for an event use it as their time limit; nil if they wait until they are cancelled.
    public var limitPause: (@Sendable (TimeInterval) async throws -> Void)?
    /// The seed of generated identifiers. The same seed gives the same identifiers.
    public var seed: UInt64 = 1
    /// The folder that relative file names start from.
    public var baseFolder: URL
    /// The folder for temporary files.
    public var workFolder: URL
    /// The user's home folder, which `~` in a path stands for.
    public var home: String
    /// The environment variables.
    public var variables: [String: String] = [:]
    /// The program's executable, for starting further processes.
    public var executable: URL?
    /// Whether to use colours.
    public var isColored = false

    /// Prints a message on standard error.
    public var message: @Sendable (String) -> Void = { _ in }
    /// Asks for confirmation before data is lost; nil if nobody can be asked.
    public var confirm: (@Sendable (String) throws -> Bool)?
    /// Whether the shell was started with the flag `--yes`.
    public var isSure = false
    /// Asks the person at the terminal and returns the answer; nil if nobody can be asked. If `isSecret` is
    /// true, the input is not displayed.
    public var ask: @Sendable (_ question: String, _ isSecret: Bool) -> String? = { _, _ in nil }
    /// Passes on messages that are not the answer to a command.
    public var announcer = Announcer()
    /// The file of favourites.
    public var favourites: FavouriteFile
    /// The effective settings of this shell and their origins.
    public var settings: [Settings.Row] = []
    /// Prints partial answers of a command before it ends; nil if everything is printed at the end.
    public var show: (@Sendable (Rendering) -> Void)?
    /// Shows the progress of a transfer on one line, which nil removes. The closure is nil if there is no
    /// terminal.
    public var progress: (@Sendable (ProgressLine?) -> Void)?
    /// Clears the screen; nil if there is no terminal.
    public var clearScreen: (@Sendable () -> Void)?

    /// Creates an environment without any connection to a terminal.
    public init(
        now: @escaping @Sendable () -> Date, baseFolder: URL, workFolder: URL, home: String,
        favourites: FavouriteFile
    ) {
        self.now = clockShift.shifting(now)
        wallClock = now
        self.baseFolder = baseFolder
        self.workFolder = workFolder
        self.home = home
        self.favourites = favourites
    }

    /// An environment for describing commands that are never run.
    public static func placeholder(_ names: ProgramNames) -> ShellEnvironment {
        let folder = URL(fileURLWithPath: "/", isDirectory: true)
        return ShellEnvironment(
            now: { .distantPast }, baseFolder: folder, workFolder: folder, home: "/",
            favourites: FavouriteFile(of: names, environment: [:], home: "/"))
    }

    /// Prints a message that is not part of an answer; at a prompt, it appears above the prompt.
    public func tell(_ line: String) {
        if announcer.hasListener { announcer.announce(line) } else { message(line + "\n") }
    }

    /// Asks for confirmation, and returns whether the person agrees. Returns true without asking if `isSure`
    /// is true or nobody can be asked, for example in a script.
    ///
    /// - Parameter isSure: Whether the command has the flag `--yes`.
    public func isConfirmed(_ question: String, isSure: Bool) throws -> Bool {
        guard !isSure, let confirm else { return true }
        return try confirm(question)
    }

    /// Asks for confirmation of a loss that nothing can revert, and returns whether the person agrees. A
    /// script must confirm it by a flag.
    ///
    /// - Parameters:
    ///   - isSure: Whether the command has the flag `--yes`.
    ///   - loss: What would be lost, such as `2 unsent changes`, for the error.
    ///   - command: The command with the flag `--yes`.
    /// - Throws: `ShellError` if nobody can be asked.
    public func isLossConfirmed(
        _ question: String, isSure: Bool, loss: String, command: String
    ) throws -> Bool {
        if isSure || self.isSure { return true }
        if let confirm { return try confirm(question) }
        throw ShellError.usage(
            "nothing was deleted: this would lose \(loss), and nobody can be asked", remedy: command)
    }

    /// The file that a word names. `~` is the home folder.
    public func file(_ word: Word) -> URL {
        FileNames.file(word.text, baseFolder: baseFolder, home: home)
    }

    /// Whether a file may be written. If the file exists, asks the person; true if nobody can be asked.
    public func mayWrite(_ file: URL, shownAs name: String) throws -> Bool {
        guard let confirm, FileManager.default.fileExists(atPath: file.path) else { return true }
        return try confirm("overwrite \(name)?")
    }
}
