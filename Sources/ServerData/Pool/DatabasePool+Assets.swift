import AssetStore
package import CloudService
import Foundation
import Records

/// The files of an object store. All methods do nothing if the data folder keeps the files.
extension DatabasePool {
    /// A file in the folder is written in pieces of half this size.
    package var uploadBuffer: Int { assetEngine?.uploadBuffer ?? 512 * 1024 }

    package func address(of fileChecksum: String, in key: DatabaseKey, seconds: Int) -> String? {
        assetEngine?.address(of: fileChecksum, named: assetName(of: key), seconds: seconds)
    }

    /// The name of a database's files in the object store: the path that they would have in the data folder.
    func assetName(of key: DatabaseKey) -> String { DataFolder.path(of: key) + "-assets" }

    /// Deletes the files of databases, before their records: if it fails, the records still exist, so that
    /// the removal can be repeated.
    func removeFromAssetEngine(_ selection: DatabaseSelection) async throws {
        guard let assetEngine else { return }
        for path in paths(of: selection) where selection.owner == nil || path.path.hasSuffix("-assets") {
            try await assetEngine.remove(below: pathInFolder(path))
        }
    }

    /// Adds the files in the object store to the usage.
    func addingAssetEngine(
        of container: String, in environment: CloudEnvironment, to usage: DatabaseUsage
    ) async throws -> DatabaseUsage {
        guard let assetEngine else { return usage }
        let place = folder.place(container: container, environment: environment.rawValue)
        let (files, bytes) = try await assetEngine.usage(below: pathInFolder(place))
        var usage = usage
        usage.bytes = usage.bytes.addingSaturated(bytes)
        usage.assetFiles += Int(files)
        return usage
    }

    private func pathInFolder(_ url: URL) -> String {
        String(url.path.dropFirst(folder.url.path.count + 1))
    }
}
