// Owns the service: what it is made of, and how a call finds its database.

import AssetStore
package import RecordStore
package import Records
import Synchronization

/// The decisions of the server. Knows neither HTTP nor JSON nor SQL; the door asks it, it asks the stores.
package final class CloudService: Sendable {
    package let limits: Limits
    package let seams: Seams
    let directory: any Directory
    let databases: any DatabaseProvider
    let schemas: SchemaKeeper
    let signer: ReceiptSigner
    let sessions = Mutex(SessionCache())
    /// Whether a person may sign in by name alone, in development.
    let allowsSignInByName: Bool

    package init(
        directory: any Directory,
        databases: any DatabaseProvider,
        seams: Seams,
        limits: Limits = Limits(),
        allowsSignInByName: Bool = true
    ) {
        self.directory = directory
        self.databases = databases
        self.seams = seams
        self.limits = limits
        self.allowsSignInByName = allowsSignInByName
        schemas = SchemaKeeper(directory: directory)
        signer = ReceiptSigner(key: seams.randomBytes(32))
    }

    /// The database that a caller means.
    ///
    /// Throws `authenticationRequired` for a private database without a person.
    func database(_ scope: DatabaseKind, for caller: Caller) async throws -> OpenDatabase {
        switch (scope, caller.identity) {
        case (.public, _):
            return try await databases.database(key(owner: nil, for: caller))
        case (.private, .person(let name)):
            return try await databases.database(key(owner: name, for: caller))
        case (.private, .serverKey), (.shared, .serverKey):
            throw RecordError(
                .authenticationFailed, "server-to-server keys are good for the public database only",
                culprit: scope.rawValue, nextStep: "use the public database, or the session of a person"
            )
        case (.private, .anonymous), (.shared, .anonymous):
            throw RecordError.signInRequired
        case (.shared, .person):
            throw RecordError.zoneNotFound("shared")
        }
    }

    private func key(owner: String?, for caller: Caller) -> DatabaseKey {
        DatabaseKey(container: caller.container, environment: caller.environment, owner: owner)
    }

    /// The name of a zone in a database, checked against who owns it.
    ///
    /// Throws `zoneNotFound` for a zone of somebody else.
    func zoneName(_ zone: ZoneID?, in database: OpenDatabase) throws -> String {
        guard let zone else { return ZoneID.defaultName }
        if let owner = zone.owner, !Self.ownAliases.contains(owner), owner != database.key.owner {
            if database.key.owner != nil { throw RecordError.zoneNotFound(zone.name) }
        }
        return zone.name
    }

    /// The spellings of "my own" that clients use for a zone's owner (web services sheet 3.7).
    private static let ownAliases: Set<String> = ["_defaultOwner", "__defaultOwner__", ""]
}

extension RecordError {
    /// The error for what only a signed-in person may do.
    static let signInRequired = RecordError(
        .authenticationRequired, "request needs authorization",
        nextStep: "sign in, and send the web auth token with the request"
    )
}
