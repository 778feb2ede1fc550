// Owns what the interpreter needs from the machine: the time, folders, and the thumbnail tool.
import CommandText
import Foundation

/// Everything that is passed in so that commands can be repeated exactly.
struct Tools: Sendable {
    /// The time of day.
    let now: @Sendable () -> Date
    /// The folder that file names on the command line start from.
    let baseFolder: URL
    /// A folder for files that nobody keeps.
    let workFolder: URL
    /// Where seed sets and their photos lie, or why they cannot be found.
    let seedFolder: Result<URL, SeedError>
    let thumbnailer: Thumbnailer?
    /// Where a command says how far it is.
    let talk: @Sendable (String) -> Void
    /// Asks before something is lost; nothing where there is nobody to ask.
    let confirm: (@Sendable (String) throws -> Bool)?
    /// The folder that `~` stands for.
    let home: String
    /// Lets so many seconds pass.
    let pause: @Sendable (TimeInterval) async throws -> Void
    /// The password that the environment gives, for scripts.
    let password: String?
    /// Asks the person at the terminal, whether what is typed shows or not; nothing when nobody is there.
    let ask: @Sendable (_ question: String, _ isSecret: Bool) -> String?
    /// The program of this app, for processes of its own.
    let program: URL?
    /// The variables that such a process gets; those of this one if nothing.
    var environment: [String: String]?
    /// Where news go that nobody asked for.
    var announcer = Announcer()

    /// The folder in which devices keep what they have of people's data.
    var devices: URL
    /// Whether the clock stands still unless a command waits.
    var isClockFixed = false
    /// The time of day, for measuring; it goes on where the clock of the scene stands still.
    var wallClock: @Sendable () -> Date
    /// The commands that somebody keeps under names.
    var favourites: FavouriteFile
    /// What this shell was started with, and where each value is from.
    var settings: [Settings.Row] = []
    /// Draws pictures in the terminal; nothing when nothing is installed that does.
    var viewer: PictureViewer?
    /// Prints what a command answers before its end; nothing where it is all said at the end.
    var show: (@Sendable (Rendering) -> Void)?
    /// Shows how far a transfer is, on one line that comes and goes; nothing where nobody watches.
    var meter: (@Sendable (ProgressLine?) -> Void)?

    /// Takes everything off the screen; nothing where there is no screen.
    var clearScreen: (@Sendable () -> Void)?

    /// Says a line beside the answers: above the prompt where there is one.
    func tell(_ line: String) {
        if announcer.isHeard { announcer.announce(line) } else { talk(line + "\n") }
    }

    /// The file that a word names; `~` is the home folder.
    func file(_ word: Word) -> URL {
        FileNames.file(word.text, baseFolder: baseFolder, home: home)
    }
}
