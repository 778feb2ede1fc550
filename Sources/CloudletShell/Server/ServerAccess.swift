public import Cloudlet
import CommandShell
import Foundation
import RecordsWire

/// The connection of a program to a server.
public struct ServerAccess: Sendable {
    /// Registers the public key of an app's own server, and returns the key's ID.
    public typealias KeyRegistration =
        @Sendable (
            _ publicKey: String, _ place: CloudSession.ContainerEnvironment
        ) async throws -> String

    /// The transport to the server.
    public var transport: any CloudTransport
    /// The server in words: its address, or that it is embedded.
    public let description: String
    /// The folder for downloaded files.
    let assetFolder: URL
    /// Returns the time that `now()` in a predicate means.
    var now: @Sendable () -> Date
    /// The data folder of an embedded server; nil for a remote server.
    var dataFolder: URL?
    /// The app's API token, for servers that require one.
    public var apiToken: String?
    /// Registers keys with an embedded server; nil for a remote server, where the operator does that.
    var registerServerKey: KeyRegistration?
    /// The address at which other processes reach the server; nil if it serves this process only.
    public var address: URL?
    /// A PEM file with the certificates to trust in place of the system's; nil for the system's.
    var trustedCertificates: URL?
    /// The simulated network state of devices.
    let network = NetworkSwitch()
    /// Called at the start of every operation with its quality of service.
    var onOperation: (@Sendable (QualityOfService) -> Void)?
    /// Waits on the shell's clock, for the delays of simulated networks.
    var pause: NetworkSwitch.Pause = { _ in }
    /// The operator's key; nil for a remote server whose key was not given.
    var operatorKey: String?
    /// The reason why a given key is not sent to this server.
    var keyObjection: ConfigurationError?
    /// The command that starts the current program, for advice.
    var invocation = "cloudlet shell"

    /// Creates the access to a server through a transport.
    ///
    /// - Parameter description: The server in words.
    public init(
        transport: any CloudTransport, description: String, assetFolder: URL,
        now: @escaping @Sendable () -> Date, address: URL? = nil
    ) {
        self.transport = transport
        self.description = description
        self.assetFolder = assetFolder
        self.now = now
        self.address = address
    }

    /// Whether the server is in this process.
    public var isEmbedded: Bool { dataFolder != nil }

    /// A container as one person on one device sees it; nobody is signed in if there is no account.
    public func container(
        in place: CloudSession.ContainerEnvironment, _ account: CloudAccount?, device: String,
        contacts: [CloudContact] = []
    ) -> CKContainer {
        var connection = connection(in: place.environment, account, device: device)
        connection.addressBook = { contacts }
        return CKContainer(identifier: place.container, connection: connection)
    }

    /// The connection to the server for one person on one device.
    public func connection(
        in environment: CloudConnection.Environment, _ account: CloudAccount?, device: String
    ) -> CloudConnection {
        var connection = CloudConnection(
            transport: network.transport(of: device, over: transport, pause: pause),
            environment: environment,
            apiToken: apiToken,
            deviceName: device,
            assetFolder: assetFolder,
            now: now
        )
        connection.account = account
        connection.onOperation = onOperation
        return connection
    }

    /// Percent-encodes a part of a path or file name, so that no character has a special meaning.
    public static func escaped(_ part: String) -> String { PercentEncoding.encode(part) }
}

/// A transport without a server, for describing commands that are not executed.
struct UnconnectedTransport: CloudTransport {
    func send(_ request: CloudRequest) async throws -> CloudResponse {
        throw CloudTransportError.unreachable("there is no server")
    }
}
