public import Foundation

/// Everything that the commands of one shell are given from outside, so that they can be repeated exactly.
public struct ShellEnvironment: Sendable {
    /// The time that commands go by.
    public var now: @Sendable () -> Date
    /// The time of day, for measuring; it goes on where `now` stands still.
    public var wallClock: @Sendable () -> Date
    /// Lets so many seconds of the day pass.
    public var wallPause: @Sendable (TimeInterval) async throws -> Void = { _ in }
    /// Whether `now` stands still unless a command waits.
    public var isClockFixed = false
    /// Lets so many seconds pass.
    public var pause: @Sendable (TimeInterval) async throws -> Void = { _ in }
    /// What identifiers come from: the same seed makes the same ones.
    public var seed: UInt64 = 1
    /// The folder that file names start from.
    public var baseFolder: URL
    /// A folder for files that nobody keeps.
    public var workFolder: URL
    /// The folder that `~` stands for.
    public var home: String
    /// The variables of the environment.
    public var variables: [String: String] = [:]
    /// The program's own file, for processes of its own.
    public var executable: URL?
    /// Whether colours are shown.
    public var isColored = false

    /// Where a command says how far it is.
    public var talk: @Sendable (String) -> Void = { _ in }
    /// Asks before something is lost; nil where there is nobody to ask.
    public var confirm: (@Sendable (String) throws -> Bool)?
    /// Asks the person at the terminal, whether what is typed shows or not; answers nil when nobody is there.
    public var ask: @Sendable (_ question: String, _ isSecret: Bool) -> String? = { _, _ in nil }
    /// Where news go that nobody asked for.
    public var announcer = Announcer()
    /// The commands that somebody keeps under names.
    public var favourites: FavouriteFile
    /// What this shell was started with, and where each value is from.
    public var settings: [Settings.Row] = []
    /// Prints what a command answers before its end; nil where it is all said at the end.
    public var show: (@Sendable (Rendering) -> Void)?
    /// Shows how far a transfer is, on one line that comes and goes; nil where nobody watches.
    public var progress: (@Sendable (ProgressLine?) -> Void)?
    /// Takes everything off the screen; nil where there is no screen.
    public var clearScreen: (@Sendable () -> Void)?

    /// An environment in which nobody hears, sees or answers anything yet.
    public init(
        now: @escaping @Sendable () -> Date, baseFolder: URL, workFolder: URL, home: String,
        favourites: FavouriteFile
    ) {
        self.now = now
        wallClock = now
        self.baseFolder = baseFolder
        self.workFolder = workFolder
        self.home = home
        self.favourites = favourites
    }

    /// An environment for describing commands, which are never done.
    public static func nowhere(_ names: ProgramNames) -> ShellEnvironment {
        let folder = URL(fileURLWithPath: "/", isDirectory: true)
        return ShellEnvironment(
            now: { .distantPast }, baseFolder: folder, workFolder: folder, home: "/",
            favourites: FavouriteFile(of: names, environment: [:], home: "/"))
    }

    /// Says a line beside the answers: above the prompt where there is one.
    public func tell(_ line: String) {
        if announcer.isHeard { announcer.announce(line) } else { talk(line + "\n") }
    }

    /// The file that a word names; `~` is the home folder.
    public func file(_ word: Word) -> URL {
        FileNames.file(word.text, baseFolder: baseFolder, home: home)
    }

    /// Whether a file may be written; somebody at a terminal is asked about one that is there.
    public func mayWrite(_ file: URL, shownAs name: String) throws -> Bool {
        guard let confirm, FileManager.default.fileExists(atPath: file.path) else { return true }
        return try confirm("write over \(name)?")
    }
}
