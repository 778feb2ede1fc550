import AssetStore
import Directory
public import Foundation
import RecordStore
import Records
import RecordsWire
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
    /// A source that is a folder is marked at the end: no server uses it any more, until the mark is deleted.
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
            let now = Timestamp(Date())
            let report = try await run(from: from, to: to, at: now, onStep: onStep)
            await from.close()
            await to.close()
            return report
        } catch {
            await from.close()
            await to.close()
            if error is ServerError || error is CancellationError { throw error }
            if let refusal = AssetEngines.refusal(error, "the files of assets cannot be copied") {
                throw refusal
            }
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

extension DataSite {
    /// The address of a database without the secrets in it, as it may be shown and stored.
    static func withoutSecrets(_ address: String) -> String {
        guard let scheme = address.range(of: "://") else { return "the PostgreSQL database" }
        var rest = address[scheme.upperBound...]
        var user = ""
        // A password can contain any character but the slash.
        if let at = rest[..<(rest.firstIndex(of: "/") ?? rest.endIndex)].lastIndex(of: "@") {
            let name = rest[..<at].prefix { $0 != ":" && $0 != "?" }
            user = name.isEmpty ? "" : name + "@"
            rest = rest[rest.index(after: at)...]
        }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let parameters = parts.dropFirst().flatMap { $0.split(separator: "&") }.filter { parameter in
            let name = PercentEncoding.decode(parameter.prefix { $0 != "=" })?.lowercased() ?? "password"
            return !["password", "secret", "key"].contains { name.contains($0) }
        }
        let query = parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&")
        return "\(address[..<scheme.upperBound])\(user)\(parts[0])\(query)"
    }
}
