import Foundation

/// What an ephemeral server keeps outside of its temporary folder: a schema of its PostgreSQL database, and
/// the objects below a prefix of its bucket. Both are new, and are deleted when the server stops.
struct EphemeralPlaces: Sendable {
    private let name: String
    private let database: String?
    private let assets: AssetBucket?
    private let configuration: ServerConfiguration

    /// Creates the places, and lets the configuration name them. Does nothing for a server that keeps its
    /// data.
    ///
    /// - Parameter name: lower-case letters and digits that no other server has.
    /// - Throws: `ServerError` if the engine cannot be used.
    init(for configuration: inout ServerConfiguration, named name: String) async throws {
        self.name = "ephemeral_\(name)"
        self.configuration = configuration
        let isTemporary = if case .temporary = configuration.storage { true } else { false }
        database = isTemporary ? configuration.database : nil
        assets = isTemporary ? configuration.assets : nil
        if let database {
            configuration.database = try await DatabaseEngines.addSchema(self.name, at: database)
        }
        if var bucket = assets {
            let address = bucket.address
            let end = address.firstIndex(of: "?") ?? address.endIndex
            let path = address[..<end]
            bucket.address = path + (path.hasSuffix("/") ? "" : "/") + self.name + address[end...]
            configuration.assets = bucket
        }
    }

    /// Deletes the places. A place that cannot be deleted is logged.
    func delete() async {
        do {
            if let database { try await DatabaseEngines.dropSchema(name, at: database) }
            guard assets != nil, let engine = try AssetEngines.engine(of: configuration) else { return }
            do {
                try await engine.remove(below: name)
                await engine.close()
            } catch {
                await engine.close()
                throw error
            }
        } catch {
            configuration.logger.error(
                "the data of an ephemeral server was not deleted",
                metadata: ["name": "\(name)", "error": "\(error)"])
        }
    }
}
