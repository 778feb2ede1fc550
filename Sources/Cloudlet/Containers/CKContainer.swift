public import Foundation
internal import Records

/// The data of an app: three databases and the account.
///
/// ```swift
/// let container = CKContainer(identifier: "iCloud.com.example.parties", connection: connection)
/// let party = try await container.publicCloudDatabase.record(for: partyID)
/// ```
// Sendable because every property is constant and Sendable.
open class CKContainer: NSObject, @unchecked Sendable {
    let core: ContainerCore
    let configuration: CKOperation.Configuration?
    let group: CKOperationGroup?
    private let databases: [CKDatabase.Scope: CKDatabase]

    /// The container of that name, over the connection that `CloudConnection.default` is at this moment.
    public required convenience init(identifier containerIdentifier: String) {
        self.init(identifier: containerIdentifier, connection: .default)
    }

    /// The container of that name, over a connection of its own.
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

    /// The container named by the environment variable `CLOUDLET_CONTAINER`, else `iCloud.` and the app's
    /// name.
    open class func `default`() -> CKContainer {
        CKContainer(identifier: defaultIdentifier)
    }

    /// The container's name.
    open var containerIdentifier: String? { core.identifier }

    /// The server, person and device that this container speaks to and for.
    open var connection: CloudConnection { core.connection }

    /// Starts an operation on a queue of the container; without a container of its own, it gets this one.
    open func add(_ operation: CKOperation) {
        operation.useIfUnset(self)
        core.queue.addOperation(operation)
    }

    /// The database of the person who is signed in.
    open var privateCloudDatabase: CKDatabase { database(with: .private) }

    /// The database that everybody who uses the app can read.
    open var publicCloudDatabase: CKDatabase { database(with: .public) }

    /// What other people share with the person who is signed in.
    open var sharedCloudDatabase: CKDatabase { database(with: .shared) }

    /// One of the three databases, always the same object.
    open func database(with databaseScope: CKDatabase.Scope) -> CKDatabase {
        databases[databaseScope] ?? CKDatabase(core, scope: databaseScope)
    }

    /// The name, for people.
    open override var description: String {
        "<CKContainer: \(core.identifier), \(core.connection.environment.rawValue)>"
    }

    private static var defaultIdentifier: String {
        let process = ProcessInfo.processInfo
        return process.environment["CLOUDLET_CONTAINER"]
            ?? "iCloud." + (Bundle.main.bundleIdentifier ?? process.processName)
    }
}

/// What a container's databases have in common.
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
