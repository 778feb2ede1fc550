import AssetStore
import Directory
public import Foundation
import RecordStore
import Records
public import ServerData

/// A place with all data of a server, for `DataMigration`.
public enum DataSite: Sendable {
    /// A data folder. A server that used it with a bucket goes on using the bucket.
    case folder(URL, assets: AssetBucket?)
    /// A PostgreSQL database, and the bucket with the files. It needs PostgreSQL's
    /// library libpq.
    case database(String, assets: AssetBucket?)
}

extension DataMigration {
    /// Moves all data of a server from one place to another, which must be empty, or have a part of the same
    /// data from a copy that was stopped.
    ///
    /// ```swift
    /// let report = try await DataMigration.run(
    ///     from: .folder(dataFolder, assets: nil),
    ///     to: .database("postgresql://cloudlet@db/cloudlet", assets: bucket))
    /// ```
    ///
    /// - Throws: `ServerError` if a server uses one of the places, if the source has no data, if the target
    ///   has other data, or if the two differ after the copy.
    public static func run(
        from source: DataSite, to target: DataSite,
        onStep: @escaping @Sendable (Step) -> Void = { _ in }
    ) async throws -> DataMigration {
        let from = try await source.opened(isTarget: false)
        let to: any DataPlace
        do {
            to = try await target.opened(isTarget: true)
        } catch {
            await from.close()
            throw error
        }
        do {
            let report = try await run(from: from, to: to, onStep: onStep)
            await from.close()
            await to.close()
            return report
        } catch {
            await from.close()
            await to.close()
            if error is ServerError || error is CancellationError { throw error }
            throw ServerError(
                .databaseUnusable, "the data could not be copied: \(DataBackup.reason(of: error))",
                nextStep: "remove the cause, and run the same command again")
        }
    }
}

extension DataSite {
    fileprivate func opened(isTarget: Bool) async throws -> any DataPlace {
        switch self {
        case .folder(let url, let bucket):
            if isTarget { return try FolderPlace(to: url) }
            var configuration = ServerConfiguration(storage: .folder(url))
            configuration.assets = bucket
            return try FolderPlace(from: url, assetEngine: try AssetEngines.engine(of: configuration))
        case .database(let address, let bucket):
            // No data folder is needed for these.
            var configuration = ServerConfiguration(storage: .folder(URL(fileURLWithPath: "/")))
            configuration.database = address
            configuration.assets = bucket
            return try await DatabaseEngines.place(of: configuration)
        }
    }
}
