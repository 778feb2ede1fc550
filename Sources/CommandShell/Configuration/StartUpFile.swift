import Foundation

/// The start-up file of a shell.
struct StartUpFile: Equatable, Sendable {
    let file: URL
    /// Whether somebody named it, so that it has to be there.
    let isNamed: Bool
    private let variable: String

    /// The file that the options ask for. The usual one is for people at a terminal: scripts run the same
    /// wherever they run, unless they are told.
    ///
    /// A variable of the program names another one than the usual one; an empty value means none.
    init?(
        of names: ProgramNames, _ choice: ShellOptions.StartUp, machine: Machine, isInteractive: Bool
    ) {
        variable = names.startUpVariable
        switch choice {
        case .none: return nil
        case .file(let file): (self.file, isNamed) = (file, true)
        case .usual:
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

    /// What stands in it; nothing when there is none and nobody named one.
    func text() throws -> String? {
        if let text = try? String(contentsOf: file, encoding: .utf8) { return text }
        if !isNamed, !FileManager.default.fileExists(atPath: file.path) { return nil }
        throw Complaint.usage(
            "the start-up file \(file.path) cannot be read",
            remedy: "another \(variable), or --no-startup")
    }
}
