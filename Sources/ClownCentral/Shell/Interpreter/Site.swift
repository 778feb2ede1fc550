// Owns where commands go: one server, spoken to by any person from any device.
import Cloudlet
import CommandText
import Foundation

/// A server and how this app speaks to it.
struct Site: Sendable {
    /// The container that Clown Central keeps its records in.
    static let containerIdentifier = "iCloud.org.cloudlet.ClownCentral"

    var transport: any CloudTransport
    /// The server in words: its address, or that it is embedded.
    let place: String
    /// The folder that fetched files land in.
    let assetFolder: URL
    /// The moment that `now()` in a predicate means.
    var now: @Sendable () -> Date
    /// The folder of an embedded server, so that one can see what it keeps; nothing for a server elsewhere.
    var dataFolder: URL?
    /// The token that lets the app in where the server wants one.
    var apiToken: String?
    /// Registers the public key of an app's own server, and answers its name; nothing for a server elsewhere,
    /// whose operator does that.
    var registerServerKey: (@Sendable (_ publicKey: String, _ place: Session.Place) async throws -> String)?
    /// Where other processes reach the server; nothing for one that serves this process only.
    var address: URL?
    /// Which devices are off line on purpose.
    var network = NetworkSwitch()
    /// Opens the operator's calls; nothing for a server elsewhere whose key nobody gave.
    var operatorKey: String?
    /// Why the key that somebody gave is not sent there.
    var keyObjection: ConfigurationError?

    /// Whether the server is in this process, and so always at hand.
    var isEmbedded: Bool { dataFolder != nil }

    /// A container as one person on one device sees it; nobody when there is no account.
    func container(
        in place: Session.Place, _ account: CloudAccount?, device: String, contacts: [CloudContact] = []
    ) -> CKContainer {
        var connection = connection(in: place.environment, account, device: device)
        connection.addressBook = { contacts }
        return CKContainer(identifier: place.container, connection: connection)
    }

    /// The way to the server for one person on one device.
    func connection(
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
}
