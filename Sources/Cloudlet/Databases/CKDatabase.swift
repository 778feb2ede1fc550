public import Foundation
internal import Records

/// A database of a container. It holds zones of records under one set of access rules.
///
/// The methods here suit one item or a few, and report `CKError`. Operations give more control. The methods
/// retry and merge nothing, and no records are cached.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckdatabase>.
// Sendable because every property is immutable and Sendable.
open class CKDatabase: NSObject, @unchecked Sendable {
    /// The scope of a database determines whose data it contains.
    public enum Scope: Int, Sendable {
        /// The public database: every person's data, shared by all.
        case `public` = 1
        /// The private database: the data of one person.
        case `private` = 2
        /// The shared database: the data that others share with one person.
        case shared = 3
    }

    let core: ContainerCore
    private let scope: Scope
    private let configuration: CKOperation.Configuration?
    private let group: CKOperationGroup?

    init(
        _ core: ContainerCore,
        scope: Scope,
        configuration: CKOperation.Configuration? = nil,
        group: CKOperationGroup? = nil
    ) {
        self.core = core
        self.scope = scope
        self.configuration = configuration
        self.group = group
    }

    /// The scope of this database.
    open var databaseScope: CKDatabase.Scope { scope }

    /// Starts an operation on this database.
    open func add(_ operation: CKDatabaseOperation) {
        operation.database = self
        core.queue.addOperation(operation)
    }

    /// The scope and the container, for logs.
    open override var description: String {
        "<CKDatabase: \(scope) of \(core.identifier)>"
    }
}

extension CKDatabase {
    /// Runs the body with a copy of the database whose calls use the given configuration and operation group.
    @discardableResult
    public func configuredWith<R>(
        configuration: CKOperation.Configuration? = nil,
        group: CKOperationGroup? = nil,
        body: (_ configuredDatabase: CKDatabase) throws -> R
    ) rethrows -> R {
        try body(CKDatabase(core, scope: scope, configuration: configuration, group: group))
    }

    /// Runs the body with a copy of the database whose calls use the given configuration and operation group.
    @discardableResult
    @preconcurrency
    public func configuredWith<R>(
        configuration: CKOperation.Configuration? = nil,
        group: CKOperationGroup? = nil,
        body: @Sendable (_ configuredDatabase: CKDatabase) async throws -> R
    ) async rethrows -> R {
        try await body(CKDatabase(core, scope: scope, configuration: configuration, group: group))
    }
}

extension CKDatabase {
    /// Starts the operation of a convenience method, with the configuration from `configuredWith`. The
    /// default quality of service is `.userInitiated`.
    func start(_ operation: CKDatabaseOperation) {
        operation.use(configuration, group)
        operation.useIfUnset(.userInitiated)
        add(operation)
    }

    /// Runs the operation of a convenience method to its end. Cancelling the calling task cancels the
    /// operation.
    func perform<Value: Sendable>(
        _ make: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> CKDatabaseOperation
    ) async throws -> Value {
        try await awaitOperation(make) { start($0) }
    }

    /// A client that sends the requests of one operation for this database. After a change of the account,
    /// the remaining requests fail with `notAuthenticated`.
    ///
    /// - Parameter configuration: The configuration of the operation that is starting.
    func client(_ configuration: CKOperationConfiguration) -> CloudClient {
        let kind: DatabaseKind =
            switch scope {
            case .public: .public
            case .private: .private
            case .shared: .shared
            }
        return CloudClient(
            connection: core.connection.bound(),
            container: core.identifier,
            database: kind,
            policy: RequestPolicy(configuration)
        )
    }
}
