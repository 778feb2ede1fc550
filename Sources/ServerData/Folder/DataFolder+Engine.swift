import AssetStore
import Foundation
package import RecordStore
import Records

extension DataFolder {
    /// The name of the file that marks a folder whose records are in PostgreSQL, and whose accounts are in
    /// the folder. It contains the identifier of the installation, to which the engine is bound.
    static let engineMark = "records-in-postgresql"

    /// The name of the file that marks the folder of a node: records and accounts are in PostgreSQL. Its
    /// content is the same.
    static let nodeMark = "data-in-postgresql"

    /// The version of the layout of the folder of a node. That of a folder with `engineMark` is 2.
    static let nodeFormat = 3

    /// The mark of a folder whose records are in PostgreSQL; nil for another folder.
    static func mark(of folder: URL) -> String? {
        [engineMark, nodeMark].first {
            FileManager.default.fileExists(atPath: folder.appendingPathComponent($0).path)
        }
    }

    /// Whether the records of a folder's server are in PostgreSQL.
    static func keepsRecordsInEngine(_ folder: URL) -> Bool { mark(of: folder) != nil }

    /// Throws for a folder that cannot be copied, because its records are in PostgreSQL or its files in an
    /// object store.
    static func checkCanBeCopied(_ folder: URL) throws(ServerError) {
        try refuseUnfinishedCopy(folder)
        guard keepsRecordsInEngine(folder) else { return try checkKeepsAssets(folder) }
        throw ServerError(
            .folderUnusable,
            "the records of \(folder.path) are in PostgreSQL, which this command does not copy",
            nextStep: "save the database with PostgreSQL's own means, such as pg_dump; after a restore, run: "
                + "cloudlet new-epoch")
    }

    /// Checks that the server is configured for the storage that has this folder's records, and binds a new
    /// folder to its engine. A new folder becomes that of another node if the engine has the accounts, too.
    ///
    /// - Parameters:
    ///   - engine: The engine that the server is configured for; nil if files keep the records.
    ///   - identifier: The identifier that the installation gets if it is new.
    /// - Returns: Whether the engine's database has the accounts.
    /// - Throws: `ServerError` if the records are elsewhere, or if the engine has another folder's records.
    package func bind(to engine: (any RecordStoreEngine)?, as identifier: String) async throws -> Bool {
        let mark = Self.mark(of: url)
        guard let engine else {
            if mark == nil { return false }
            throw ServerError(
                .folderUnusable, "the records of the data folder \(url.path) are in PostgreSQL",
                nextStep: "set CLOUDLET_DATABASE, or name their database: "
                    + "cloudlet serve --database postgresql://USER@HOST/NAME")
        }
        if let mark {
            let own = try OwnedFile.text(of: url.appendingPathComponent(mark))
                .trimmingCharacters(in: .whitespacesAndNewlines)
            let wanted = Installation(identifier: own, hasDirectory: mark == Self.nodeMark)
            if try await engine.bind(to: nil) == wanted { return wanted.hasDirectory }
            throw ServerError(
                .folderUnusable,
                "the PostgreSQL database does not have the records of the data folder \(url.path)",
                nextStep: "name the database that this folder was first used with, or choose another folder")
        }
        if Self.hasDirectory(url) || Self.databases(in: url).contains(where: { $0.kind == .records }) {
            throw ServerError(
                .folderUnusable, "the data folder \(url.path) has accounts or records in files",
                nextStep: "start without --database; or choose a new folder, which begins without data")
        }
        let bound = try await engine.bind(to: Installation(identifier: identifier, hasDirectory: true))
        if let bound, UnfinishedCopy(text: bound.identifier) != nil {
            throw ServerError(
                .engineUnusable, "the PostgreSQL database is an unfinished copy", nextStep: Self.finishCopy)
        }
        guard let bound, bound.hasDirectory else {
            throw ServerError(
                .folderUnusable, "the PostgreSQL database has the records of another data folder",
                nextStep: "use that folder with --data, which has the accounts; or create another database")
        }
        try raiseFormat(to: Self.nodeFormat)
        try DurableFiles.write(bound.identifier + "\n", to: url.appendingPathComponent(Self.nodeMark))
        return true
    }
}
