// Owns which file is done before a shell begins, if any.
import Foundation

/// The start-up file of a shell.
public struct StartUpFile: Equatable, Sendable {
    /// The variable that names another file than the usual one; an empty value means none.
    public static let variable = "CLOWN_CENTRAL_STARTUP"

    let file: URL
    /// Whether somebody named it, so that it has to be there.
    let isNamed: Bool

    /// The file that the options ask for. The usual one is for people at a terminal: scripts run the same
    /// wherever they run, unless they are told.
    init?(_ choice: ShellOptions.StartUp, machine: Machine, isInteractive: Bool) {
        switch choice {
        case .none: return nil
        case .file(let file): (self.file, isNamed) = (file, true)
        case .usual:
            guard isInteractive else { return nil }
            if let named = machine.environment[Self.variable] {
                if named.isEmpty { return nil }
                let file = FileNames.file(named, baseFolder: machine.currentFolder, home: machine.home)
                (self.file, isNamed) = (file, true)
            } else {
                let folder = FavouriteFile.folder(environment: machine.environment, home: machine.home)
                (file, isNamed) = (folder.appendingPathComponent("startup.clown"), false)
            }
        }
    }

    /// What stands in it; nothing when there is none and nobody named one.
    func text() throws -> String? {
        if let text = try? String(contentsOf: file, encoding: .utf8) { return text }
        if !isNamed, !FileManager.default.fileExists(atPath: file.path) { return nil }
        throw Complaint.usage(
            "the start-up file \(file.path) cannot be read",
            remedy: "another \(Self.variable), or --no-startup")
    }
}
