import Foundation

extension DataBackup {
    /// Throws for a folder that cannot be copied: without a server's data, or one to which this user has no
    /// access. A folder that a server uses can be backed up, but is no backup to restore.
    static func checkSource(_ source: URL, isBackup: Bool) throws(ServerError) {
        if isBackup, DataFolder.isInUse(source) {
            throw ServerError(
                .folderInUse, "a server uses the folder \(source.path), so it is not a backup",
                nextStep: "make a backup, and restore that: cloudlet backup BACKUP --data \(source.path)")
        }
        try DataFolder.checkCanBeCopied(source)
        let directory = source.appendingPathComponent("directory.sqlite")
        if FileManager.default.fileExists(atPath: directory.path) { return }
        try FolderPrivacy.checkAccess(to: source)
        if DataFolder.unreadableDatabases(in: source).contains(DataFolder.unreadableDirectory) {
            throw ServerError(
                .databaseUnusable,
                "directory.sqlite could not be read when the backup \(source.path) was made",
                nextStep: "use an older backup; or try to recover the accounts: sqlite3 "
                    + "\(DataFolder.unreadableDirectory) .recover")
        }
        if !isBackup { try DataFolder.checkDirectory(of: source) }
        throw ServerError(
            .folderUnusable, "there is no \(isBackup ? "backup" : "server's data") in \(source.path)",
            nextStep: isBackup
                ? "name the folder that `cloudlet backup` made: cloudlet restore BACKUP --data NEW"
                : "name the folder that the server uses with --data"
        )
    }

    /// Throws for a folder that exists and is not empty, or that would be inside the source of its copy.
    static func checkNew(_ folder: URL, besides source: URL) throws(ServerError) {
        let (new, old) = (folder.standardizedFileURL.path, source.standardizedFileURL.path)
        if new.hasPrefix(old + "/") {
            throw ServerError(
                .folderUnusable, "the folder \(new) would be inside the folder that is copied, \(old)",
                nextStep: "name a folder outside of it")
        }
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        guard names?.isEmpty == false || (names == nil && FileManager.default.fileExists(atPath: folder.path))
        else { return }
        throw ServerError(
            .folderUnusable, "the folder \(folder.path) exists already",
            nextStep: "name a folder that does not exist yet")
    }
}
