import CloudService
import Records

/// Manages the containers of a server, their API tokens and their server-to-server keys. A call that fails
/// throws an error that names the culprit and the next step.
public struct AppControls: Sendable {
    /// An environment of a container. Each has its own data and schema.
    public enum Environment: String, Hashable, Sendable {
        /// Saving a record adds missing types and fields to the schema.
        case development
        /// The schema changes only by deployment.
        case production

        fileprivate var cloudEnvironment: CloudEnvironment {
            self == .production ? .production : .development
        }
    }

    private let service: CloudService

    init(service: CloudService) {
        self.service = service
    }

    /// Creates a container. An open server creates containers automatically on first use.
    public func createContainer(_ name: String) async throws {
        _ = try await service.containers.create(name)
    }

    /// Creates an API token and returns its text, of which the server stores only a hash.
    public func addAPIToken(
        container: String, environment: Environment = .development, label: String
    ) async throws -> String {
        try await service.credentials.addAPIToken(
            container: container, environment: environment.cloudEnvironment, label: label
        ).text
    }

    /// Registers the public key of an app's server, in PEM, and returns the ID of the key.
    public func addServerKey(
        container: String, environment: Environment = .development, label: String, publicKey: String
    ) async throws -> String {
        try await service.credentials.addServerKey(
            container: container, environment: environment.cloudEnvironment, label: label,
            publicKey: publicKey
        ).id
    }
}
