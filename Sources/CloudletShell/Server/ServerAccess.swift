public import Cloudlet
import CommandShell
import Foundation
import RecordsWire

/// A server and how a program speaks to it.
public struct ServerAccess: Sendable {
    /// Registers the public key of an app's own server, and answers its name.
    public typealias KeyRegistration =
        @Sendable (
            _ publicKey: String, _ place: CloudSession.Place
        ) async throws -> String

    /// The way to the server.
    public var transport: any CloudTransport
    /// The server in words: its address, or that it is embedded.
    public let place: String
    /// The folder that fetched files land in.
    let assetFolder: URL
    /// The moment that `now()` in a predicate means.
    var now: @Sendable () -> Date
    /// The folder of an embedded server, so that one can see what it keeps; nil for a server elsewhere.
    var dataFolder: URL?
    /// The token that lets the app in where the server wants one.
    public var apiToken: String?
    /// Registers keys with an embedded server; nil for a server elsewhere, whose operator does that.
    var registerServerKey: KeyRegistration?
    /// Where other processes reach the server; nil for one that serves this process only.
    public var address: URL?
    /// Which devices are off line on purpose.
    let network = NetworkSwitch()
    /// Opens the operator's calls; nil for a server elsewhere whose key nobody gave.
    var operatorKey: String?
    /// Why the key that somebody gave is not sent there.
    var keyObjection: ConfigurationError?
    /// How the present program is started, for advice.
    var invocation = "cloudlet shell"

    /// The way to a server that is reached by a transport alone.
    ///
    /// - Parameter place: The server in words.
    public init(
        transport: any CloudTransport, place: String, assetFolder: URL,
        now: @escaping @Sendable () -> Date, address: URL? = nil
    ) {
        self.transport = transport
        self.place = place
        self.assetFolder = assetFolder
        self.now = now
        self.address = address
    }

    /// Whether the server is in this process, and so always at hand.
    public var isEmbedded: Bool { dataFolder != nil }

    /// A container as one person on one device sees it; nobody when there is no account.
    public func container(
        in place: CloudSession.Place, _ account: CloudAccount?, device: String, contacts: [CloudContact] = []
    ) -> CKContainer {
        var connection = connection(in: place.environment, account, device: device)
        connection.addressBook = { contacts }
        return CKContainer(identifier: place.container, connection: connection)
    }

    /// The way to the server for one person on one device.
    public func connection(
        in environment: CloudConnection.Environment, _ account: CloudAccount?, device: String
    ) -> CloudConnection {
        var connection = CloudConnection(
            transport: network.way(of: device, over: transport),
            environment: environment,
            apiToken: apiToken,
            deviceName: device,
            assetFolder: assetFolder,
            now: now
        )
        connection.account = account
        return connection
    }

    /// A part of a path or of a file's name in which nothing has a meaning of its own.
    public static func escaped(_ part: String) -> String { PercentEncoding.encode(part) }
}

/// The way to a server that there is none of, for describing commands, which are never done.
struct NoServer: CloudTransport {
    func send(_ request: CloudRequest) async throws -> CloudResponse {
        throw CloudTransportError.unreachable("there is no server")
    }
}
