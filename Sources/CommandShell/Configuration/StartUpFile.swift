import Foundation

/// The start-up file of a shell.
struct StartUpFile: Equatable, Sendable {
    let file: URL
    /// Whether an option or variable names the file, so that it must exist.
    let isNamed: Bool
    private let variable: String

    /// Creates the start-up file that the options select; nil if there is none.
    ///
    /// The default file is used at a terminal only, so that scripts run the same everywhere. An environment
    /// variable can name another file; an empty value means no file.
    init?(
        of names: ProgramNames, _ choice: ShellOptions.StartUp, machine: Machine, isInteractive: Bool
    ) {
        variable = names.startUpVariable
        switch choice {
        case .none: return nil
        case .file(let file): (self.file, isNamed) = (file, true)
        case .default:
            guard isInteractive else { return nil }
            if let named = machine.environment[variable] {
                if named.isEmpty { return nil }
                let file = FileNames.file(named, baseFolder: machine.currentFolder, home: machine.home)
                (self.file, isNamed) = (file, true)
            } else {
                let folder = UserFolder.settings(
                    of: names.name, machine.environment, home: machine.home)
                (file, isNamed) = (folder.appendingPathComponent(names.startUpFile), false)
            }
        }
    }

    /// The contents of the file; nil if the default file does not exist.
    ///
    /// - Throws: `ShellError` if the file cannot be read.
    func text() throws -> String? {
        if let text = try? String(contentsOf: file, encoding: .utf8) { return text }
        if !isNamed, !FileManager.default.fileExists(atPath: file.path) { return nil }
        throw ShellError.usage(
            "the start-up file \(file.path) cannot be read",
            remedy: "set \(variable) to another file, or use --no-startup")
    }
}
