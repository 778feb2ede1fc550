package import AssetStore
package import CloudService
package import DataRows
package import Directory
package import RecordStore
package import Records
import RecordsWire

/// A database engine that has the records and the accounts, with an object store for the files, as a place
/// that is copied.
package final class EnginePlace: DataPlace {
    package let name: String
    package let address: String
    package let moved: MovedData? = nil
    private let engine: any CopyableEngine
    private let accounts: any Directory
    private let accountRows: any DirectoryContent
    /// nil if no object store was named.
    private let assetEngine: (any AssetEngine)?
    /// The identifier of this program in the object store.
    private let node = "c" + RandomSource(seed: nil).bytes(8).hexadecimal

    /// - Parameters:
    ///   - name: the engine as the operator knows it.
    ///   - address: the address of its database, without a password.
    ///   - directory: the directory in the engine's database, and its content.
    package init(
        named name: String, at address: String, _ engine: any CopyableEngine, directory: any Directory,
        _ content: any DirectoryContent, assetEngine: (any AssetEngine)?
    ) {
        self.name = name
        self.address = address
        self.engine = engine
        accounts = directory
        accountRows = content
        self.assetEngine = assetEngine
    }

    package func close() async {
        try? accountRows.close()
        try? await accounts.close()
        await engine.close()
        await assetEngine?.close()
    }

    /// Throws for an engine whose accounts are in a data folder.
    package func state() async throws -> DataPlaceState {
        guard let bound = try await engine.bind(to: nil) else {
            let isEmpty = try engine.names(beginningWith: "").isEmpty && accountRows.isEmpty()
            return isEmpty ? .empty : .complete
        }
        if let copy = UnfinishedCopy(text: bound.identifier) { return .unfinished(copy) }
        if bound.hasDirectory { return .complete }
        throw ServerError(
            .engineUnusable, "\(name) has the records of a data folder that has the accounts",
            nextStep: "such data cannot be moved; only PostgreSQL databases of nodes can")
    }

    package var objectStoreOwner: String? {
        get async throws {
            guard let assetEngine, let bound = try await engine.bind(to: nil) else { return nil }
            if try await assetEngine.bind(to: nil) == bound.identifier { return bound.identifier }
            throw ServerError(
                .engineUnusable, "\(assetEngine.place) does not have the files of \(name)",
                nextStep: "name the bucket and prefix that the nodes used with --assets")
        }
    }

    package func begin(_ copy: UnfinishedCopy) async throws {
        // Asked first, so that an engine is not marked in vain.
        try await checkAssetEngine(of: copy, try await assetEngine?.bind(to: nil) ?? copy.installation)
        let wanted = Installation(identifier: copy.text, hasDirectory: false)
        guard try await engine.bind(to: wanted) == wanted else {
            throw ServerError(
                .engineUnusable, "\(name) has got the data of another server", nextStep: "name another one")
        }
        try await checkAssetEngine(of: copy, try await assetEngine?.bind(to: copy.installation))
    }

    private func checkAssetEngine(of copy: UnfinishedCopy, _ owner: String?) async throws {
        guard let assetEngine, owner != copy.installation else { return }
        throw ServerError(
            .engineUnusable, "\(assetEngine.place) has the files of another server",
            nextStep: "name another bucket, or another prefix: s3://BUCKET/PREFIX")
    }

    package func finish(_ copy: UnfinishedCopy) async throws {
        if assetEngine != nil { try await accounts.markObjectStore(of: copy.installation) }
        try await engine.rebind(to: Installation(identifier: copy.installation, hasDirectory: true))
    }

    package func mark(_ moved: MovedData) {}

    package var directory: any DirectoryContent { accountRows }

    package func types(of container: String, in environment: CloudEnvironment) async throws -> [TypeSchema] {
        try await accounts.schema(of: container, in: environment).types.values.sorted { $0.name < $1.name }
    }

    package func databases() async throws -> [DatabaseKey] {
        engine.names(beginningWith: "").compactMap(DatabaseKey.init(text:)).sorted { $0.text < $1.text }
    }

    package func content(of key: DatabaseKey, types: [TypeSchema]) async throws -> any RowDatabase {
        try await engine.content(of: key.text, types: types, codec: FieldJSON())
    }

    package func remove(_ key: DatabaseKey, withFiles: Bool) async throws {
        if withFiles { try await assetEngine?.remove(below: DataFolder.path(of: key) + "-assets") }
        try await engine.remove(key.text)
    }

    package func files(of key: DatabaseKey) -> AssetStore? {
        let random = RandomSource(seed: nil)
        return assetEngine.map { assetEngine in
            AssetStore(assetEngine.storage(named: DataFolder.path(of: key) + "-assets", node: node)) {
                random.bytes(16).hexadecimal
            }
        }
    }
}
