package import AssetStore
import Foundation
import Records

extension DataFolder {
    /// The name of the file that marks a folder whose files of assets are in an object store. It contains the
    /// identifier of the folder, to which the object store is bound unless the folder is that of a node.
    static let assetMark = "assets-in-object-store"

    /// The version of the layout of a folder with this mark.
    static let assetFormat = 3

    /// Whether the files of a folder's records are in an object store.
    static func keepsAssetsInObjectStore(_ folder: URL) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(assetMark).path)
    }

    /// Throws for a folder whose files of assets are in an object store.
    static func checkKeepsAssets(_ folder: URL) throws(ServerError) {
        guard keepsAssetsInObjectStore(folder) else { return }
        throw ServerError(
            .folderUnusable,
            "the files of \(folder.path) are in an object store, which this command does not copy",
            nextStep: "stop the server, copy the folder, and copy the bucket with the object store's tools")
    }

    /// Checks that the files of this folder's records are where the server looks for them, and binds a new
    /// folder to an object store. Returns the identifier of the folder; empty without an object store.
    ///
    /// All nodes of an installation use one object store, which is bound to the installation. So call it
    /// after `bind`.
    ///
    /// - Parameters:
    ///   - engine: nil if the folder keeps the files.
    ///   - identifier: identifies the folder if it is new.
    /// - Throws: `ServerError` if the files are elsewhere, or belong to the records of another folder.
    package func bindAssets(to engine: (any AssetEngine)?, as identifier: String) async throws -> String {
        let file = url.appendingPathComponent(Self.assetMark)
        guard let engine else {
            if !Self.keepsAssetsInObjectStore(url) { return "" }
            throw ServerError(
                .folderUnusable, "the files of the data folder \(url.path) are in an object store",
                nextStep: "set CLOUDLET_ASSETS, or name their bucket: "
                    + "cloudlet serve --assets s3://BUCKET?endpoint=https://HOST")
        }
        if Self.keepsAssetsInObjectStore(url) {
            let own = try OwnedFile.text(of: file).trimmingCharacters(in: .whitespacesAndNewlines)
            if try await engine.bind(to: nil) == installation() ?? own { return own }
            throw ServerError(
                .folderUnusable,
                "\(engine.place) does not have the files of the data folder \(url.path)",
                nextStep: "name the bucket and prefix that this folder was first used with")
        }
        if Self.databases(in: url).contains(where: { !$0.assets.files().isEmpty }) {
            throw ServerError(
                .folderUnusable, "the data folder \(url.path) has files of assets",
                nextStep: "start without --assets; or choose a new folder, which begins without data")
        }
        let owner = try installation() ?? identifier
        guard try await engine.bind(to: owner) == owner else {
            throw ServerError(
                .folderUnusable, "\(engine.place) has the files of another data folder",
                nextStep: "use that folder with --data; or name another bucket, or another prefix: "
                    + "s3://BUCKET/PREFIX")
        }
        try raiseFormat(to: Self.assetFormat)
        try DurableFiles.write(identifier + "\n", to: file)
        return identifier
    }

    /// The identifier of the installation if this is the folder of a node.
    private func installation() throws -> String? {
        guard Self.mark(of: url) == Self.nodeMark else { return nil }
        return try OwnedFile.text(of: url.appendingPathComponent(Self.nodeMark))
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Writes the version of the layout, unless the folder has a later one.
    func raiseFormat(to format: Int) throws {
        let file = url.appendingPathComponent("format")
        let text = try? OwnedFile.text(of: file, allowsOtherOwners: true)
        let present = text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        if format > present ?? 0 { try DurableFiles.write("\(format)\n", to: file) }
    }
}
