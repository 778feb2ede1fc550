// Owns completing the names of files.
import Foundation

/// Looks for files that continue what is typed.
enum FileNames {
    /// The files and folders; a folder ends in a slash.
    static func candidates(_ typed: String, baseFolder: URL) -> [Candidate] {
        let cut = typed.lastIndex(of: "/").map { typed.index(after: $0) } ?? typed.startIndex
        let shown = String(typed[..<cut])
        let path = NSString(string: shown).expandingTildeInPath
        let folder = shown.isEmpty ? baseFolder : URL(fileURLWithPath: path, relativeTo: baseFolder)
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
