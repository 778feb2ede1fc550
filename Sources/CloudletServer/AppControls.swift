import CloudService
import Records

/// The containers of a server and what lets apps in, for whoever holds the server. What cannot be done throws
/// an error that names the culprit and the next step.
public struct AppControls: Sendable {
    /// Where the data of a container lies.
    public enum Environment: String, Hashable, Sendable {
        /// Types and fields come into being when first saved.
        case development
        /// The schema is fixed.
        case production

        fileprivate var place: CloudEnvironment { self == .production ? .production : .development }
    }

    private let service: CloudService

    init(service: CloudService) {
        self.service = service
    }

    /// Makes a container; an open server does so by itself at first use.
    public func createContainer(_ name: String) async throws {
        _ = try await service.containers.create(name)
    }

    /// Makes an API token, and returns it: the server keeps its hash only.
    public func addAPIToken(
        container: String, environment: Environment = .development, label: String
    ) async throws -> String {
        try await service.credentials.addAPIToken(
            container: container, environment: environment.place, label: label
        ).text
    }

    /// Registers the public key of an app's server, in PEM, and returns the name of the key.
    public func addServerKey(
        container: String, environment: Environment = .development, label: String, publicKey: String
    ) async throws -> String {
        try await service.credentials.addServerKey(
            container: container, environment: environment.place, label: label, publicKey: publicKey
        ).id
    }
}
