import AssetStore
import Foundation
package import RecordStore
import Records

extension DataFolder {
    /// The name of the file that marks a folder whose records are in PostgreSQL. It contains the identifier
    /// of the folder, to which the engine is bound.
    static let engineMark = "records-in-postgresql"

    /// The version of the layout of a folder with this mark.
    static let engineFormat = 2

    /// Whether the records of a folder's server are in PostgreSQL.
    static func keepsRecordsInEngine(_ folder: URL) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(engineMark).path)
    }

    /// Throws for a folder that cannot be copied, because its records are in PostgreSQL or its files in an
    /// object store.
    static func checkCanBeCopied(_ folder: URL) throws(ServerError) {
        guard keepsRecordsInEngine(folder) else { return try checkKeepsAssets(folder) }
        throw ServerError(
            .folderUnusable,
            "the records of \(folder.path) are in PostgreSQL, which this command does not copy",
            nextStep: "stop the server, copy the folder, and save the database with pg_dump")
    }

    /// Checks that the server is configured for the storage that has this folder's records, and binds a new
    /// folder to its engine.
    ///
    /// - Parameters:
    ///   - engine: The engine that the server is configured for; nil if files keep the records.
    ///   - identifier: The identifier that the folder gets if it is not bound yet.
    /// - Throws: `ServerError` if the records are elsewhere, or if the engine has another folder's records.
    package func bind(to engine: (any RecordStoreEngine)?, as identifier: String) async throws {
        let file = url.appendingPathComponent(Self.engineMark)
        guard let engine else {
            if !Self.keepsRecordsInEngine(url) { return }
            throw ServerError(
                .folderUnusable, "the records of the data folder \(url.path) are in PostgreSQL",
                nextStep: "name their database: cloudlet serve --database postgresql://USER@HOST/NAME")
        }
        if Self.keepsRecordsInEngine(url) {
            let own = try OwnedFile.text(of: file).trimmingCharacters(in: .whitespacesAndNewlines)
            if try await engine.bind(to: nil) == own { return }
            throw ServerError(
                .folderUnusable,
                "the PostgreSQL database does not have the records of the data folder \(url.path)",
                nextStep: "name the database that this folder was first used with, or choose another folder")
        }
        if Self.databases(in: url).contains(where: { $0.kind == .records }) {
            throw ServerError(
                .folderUnusable, "the data folder \(url.path) has records in files",
                nextStep: "start without --database; or choose a new folder, which begins without data")
        }
        guard try await engine.bind(to: identifier) == identifier else {
            throw ServerError(
                .folderUnusable, "the PostgreSQL database has the records of another data folder",
                nextStep: "use that folder with --data, which has the accounts; or create another database")
        }
        try raiseFormat(to: Self.engineFormat)
        try DurableFiles.write(identifier + "\n", to: file)
    }
}
