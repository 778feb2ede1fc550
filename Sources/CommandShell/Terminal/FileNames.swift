import Foundation

/// Resolves and completes file names.
enum FileNames {
    /// The file with this name. A relative name starts at the base folder, and `~` is the home folder.
    static func file(_ name: String, baseFolder: URL, home: String) -> URL {
        let isAtHome = name == "~" || name.hasPrefix("~/")
        let path = isAtHome ? home + name.dropFirst() : name
        return URL(fileURLWithPath: path, relativeTo: baseFolder).absoluteURL
    }

    /// The files and folders that may complete a path. Folders end with a slash.
    static func candidates(_ typed: String, baseFolder: URL, home: String) -> [Candidate] {
        let cut = typed.lastIndex(of: "/").map { typed.index(after: $0) } ?? typed.startIndex
        let shown = String(typed[..<cut])
        let folder = shown.isEmpty ? baseFolder : file(shown, baseFolder: baseFolder, home: home)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let wantsHidden = typed[cut...].hasPrefix(".")
        return names.filter { wantsHidden || !$0.hasPrefix(".") }.sorted().map { name in
            var isFolder: ObjCBool = false
            let file = folder.appendingPathComponent(name)
            _ = FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
            return Candidate(shown + name + (isFolder.boolValue ? "/" : ""))
        }
    }
}
