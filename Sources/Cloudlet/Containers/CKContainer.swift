public import Foundation
internal import Records

/// An app's container: its public, private and shared database, and the person's account.
///
/// ```swift
/// let container = CKContainer(identifier: "iCloud.com.example.parties", connection: connection)
/// let party = try await container.publicCloudDatabase.record(for: partyID)
/// ```
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckcontainer>.
// Sendable because every property is immutable and Sendable.
open class CKContainer: NSObject, @unchecked Sendable {
    let core: ContainerCore
    let configuration: CKOperation.Configuration?
    let group: CKOperationGroup?
    private let databases: [CKDatabase.Scope: CKDatabase]

    /// Creates the container with this identifier over the current value of `CloudConnection.default`.
    public required convenience init(identifier containerIdentifier: String) {
        self.init(identifier: containerIdentifier, connection: .default)
    }

    /// Creates the container with this identifier over the given connection.
    public convenience init(identifier: String, connection: CloudConnection) {
        self.init(ContainerCore(identifier: identifier, connection: connection))
    }

    init(
        _ core: ContainerCore, configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil
    ) {
        self.core = core
        self.configuration = configuration
        self.group = group
        let scopes: [CKDatabase.Scope] = [.public, .private, .shared]
        databases = Dictionary(
            uniqueKeysWithValues: scopes.map { scope in
                (scope, CKDatabase(core, scope: scope, configuration: configuration, group: group))
            })
    }

    /// The container that the environment variable `CLOUDLET_CONTAINER` names; without the variable,
    /// `iCloud.` followed by the bundle identifier, or by the process name if there is none.
    open class func `default`() -> CKContainer {
        CKContainer(identifier: defaultIdentifier)
    }

    /// The container's identifier.
    open var containerIdentifier: String? { core.identifier }

    /// The connection: the server, and the person and device that requests are sent for.
    open var connection: CloudConnection { core.connection }

    /// Starts an operation on the container's queue. An operation without a container gets this one.
    open func add(_ operation: CKOperation) {
        operation.useIfUnset(self)
        core.queue.addOperation(operation)
    }

    /// The private database of the signed-in person.
    open var privateCloudDatabase: CKDatabase { database(with: .private) }

    /// The public database, which everybody who uses the app can read.
    open var publicCloudDatabase: CKDatabase { database(with: .public) }

    /// The database of records that other people share with the signed-in person.
    open var sharedCloudDatabase: CKDatabase { database(with: .shared) }

    /// The database of this scope. The container always returns the same object for a scope.
    open func database(with databaseScope: CKDatabase.Scope) -> CKDatabase {
        databases[databaseScope] ?? CKDatabase(core, scope: databaseScope)
    }

    /// The identifier and the environment, for logs.
    open override var description: String {
        "<CKContainer: \(core.identifier), \(core.connection.environment.rawValue)>"
    }

    /// Returns a copy of the container that sends requests only for the person who is signed in now. After a
    /// change of the account, they fail with `notAuthenticated`.
    ///
    /// - Throws: `CKError.notAuthenticated` if nobody is signed in.
    package func boundToPerson() throws -> CKContainer {
        let connection = core.connection.bound()
        guard connection.onlySender != nil else { throw CKError.nobodySignedIn }
        return CKContainer(
            ContainerCore(identifier: core.identifier, connection: connection), configuration: configuration,
            group: group)
    }

    private static var defaultIdentifier: String {
        let process = ProcessInfo.processInfo
        return process.environment["CLOUDLET_CONTAINER"]
            ?? "iCloud." + (Bundle.main.bundleIdentifier ?? process.processName)
    }
}

/// The state that a container shares with its databases.
final class ContainerCore: Sendable {
    let identifier: String
    let connection: CloudConnection
    /// Runs the operations that are added to the container or one of its databases.
    let queue = OperationQueue()

    init(identifier: String, connection: CloudConnection) {
        self.identifier = identifier
        self.connection = connection
    }
}
