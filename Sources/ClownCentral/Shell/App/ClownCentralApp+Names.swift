// Owns what completion and the manual are told of the shell's commands and of the scenes.
import CommandText
import Foundation

extension ClownCentralApp {
    /// The shell's commands in the order of its help: how each is used, and what it does.
    public static var commands: [(name: String, text: String)] {
        CommandTable.standard.commands.map { ($0.usage, $0.summary) }
    }

    /// The names of the shell's commands that begin so.
    public static func commandNames(beginningWith prefix: String) -> [String] {
        CommandTable.standard.commands.map(\.name).filter { $0.hasPrefix(prefix) }
    }

    /// The names of the scenes that begin so; none when they cannot be found.
    public func sceneNames(beginningWith prefix: String) -> [String] {
        let folder = try? SceneFolder(
            argument: nil, environment: machine.environment, executable: machine.executable)
        return ((try? folder?.scenes([])) ?? []).map(\.name).filter {
            $0.hasPrefix(prefix) && ShellWord.isPlain($0)
        }
    }
}
