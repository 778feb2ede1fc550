import AssetStore
import Logging

/// What an ephemeral server keeps outside of its temporary folder: a schema of its PostgreSQL database, and
/// the objects below a prefix of its bucket. Both are new, and are deleted when the server stops.
struct EphemeralStorage: Sendable {
    private let name: String
    private let database: String?
    private let assets: AssetBucket?
    /// The configuration with the addresses of the whole database and bucket.
    private let configuration: ServerConfiguration

    /// Creates the storage, and lets the configuration name it. Does nothing for a server that keeps its
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
            bucket.address = "\(path)\(path.hasSuffix("/") ? "" : "/")\(self.name)\(address[end...])"
            configuration.assets = bucket
        }
    }

    /// Deletes the storage. What cannot be deleted is logged.
    func delete() async {
        do {
            if let database { try await DatabaseEngines.dropSchema(name, at: database) }
        } catch {
            report(error, "the schema of an ephemeral server was not deleted")
        }
        do {
            guard assets != nil, let engine = try AssetEngines.engine(of: configuration) else { return }
            do {
                try await engine.remove(below: name)
            } catch {
                await engine.close()
                throw error
            }
            await engine.close()
        } catch {
            report(error, "the files of an ephemeral server were not deleted")
        }
    }

    private func report(_ error: any Error, _ text: Logger.Message) {
        configuration.logger.error(text, metadata: ["name": "\(name)", "error": "\(error)"])
    }
}
