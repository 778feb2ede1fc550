// Owns what can be asked of the shell itself, beside the commands that go to the server.
import Foundation

/// A command about commands.
enum ShellCommand: Equatable, Sendable {
    /// Does what stands in a file.
    case read(file: Word)
    /// Gives a name to a text, or takes it away.
    case set(name: String, value: String?)
    case favouriteSave(name: String, line: String)
    case favouriteRun(name: Word, arguments: [String])
    case favouriteRemove(name: Word)
    case favourites
    case timing(isOn: Bool)
    case mode(OutputMode)
    /// Writes answers to a file from now on; to the screen again if nothing.
    case output(file: Word?)
    case monitor(isOn: Bool)
    /// Shows the commands of scripts before they are done.
    case echo(isOn: Bool)
    case config
    /// Opens a text in the editor and does what is saved; the last line if nothing.
    case edit(String?)
    /// Takes everything off the screen.
    case clear
}
