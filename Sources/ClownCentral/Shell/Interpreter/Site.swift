// Owns where commands go: one server, spoken to by any person from any device.
import Cloudlet
import Foundation

/// A server and how this app speaks to it.
struct Site: Sendable {
    /// The container that Clown Central keeps its records in.
    static let containerIdentifier = "iCloud.org.cloudlet.ClownCentral"

    let transport: any CloudTransport
    /// The server in words: its address, or that it is embedded.
    let place: String
    /// The folder that fetched files land in.
    let assetFolder: URL
    /// The moment that `now()` in a predicate means.
    let now: @Sendable () -> Date

    /// The environment; signing in by name works in this one only.
    let environment = "development"

    /// The container as one person on one device sees it; nobody when there is no token.
    func container(token: String?, device: String) -> CKContainer {
        let connection = CloudConnection(
            transport: transport,
            environment: .development,
            webAuthToken: token,
            deviceName: device,
            assetFolder: assetFolder,
            now: now
        )
        return CKContainer(identifier: Self.containerIdentifier, connection: connection)
    }
}
