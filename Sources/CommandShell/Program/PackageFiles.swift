public import Foundation

/// Finds files of the package in which a program was built: a build lies in a folder of its package.
///
/// The folders above the current folder are not searched, and files and folders of other users in a shared
/// folder such as /tmp are skipped, because they may come from a stranger.
public enum PackageFiles {
    /// The folder at a path such as `Demo/scenes` in the nearest folder above the program's executable that
    /// has one; nil if there is none, or if the executable is unknown.
    public static func folder(at path: String, above executable: String?) -> URL? {
        first(path, isDirectory: true, above: executable, where: isFolder)
    }

    /// The file at a path in the nearest folder above the program's executable in which it satisfies the
    /// condition; nil if there is none, or if the executable is unknown.
    public static func file(
        at path: String, above executable: String?, where isWanted: (_ file: URL) -> Bool
    ) -> URL? {
        first(path, isDirectory: false, above: executable, where: isWanted)
    }

    private static func first(
        _ path: String, isDirectory: Bool, above executable: String?, where isWanted: (URL) -> Bool
    ) -> URL? {
        guard let executable else { return nil }
        var folder = URL(fileURLWithPath: executable).resolvingSymlinksInPath()
        while true {
            let found = folder.appendingPathComponent(path, isDirectory: isDirectory)
            if isWanted(found), !FileOwner.mayBeStranger(of: found, in: folder) { return found }
            let parent = folder.deletingLastPathComponent()
            if parent.path == folder.path { return nil }
            folder = parent
        }
    }

    /// Whether there is a folder at this place.
    static func isFolder(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
