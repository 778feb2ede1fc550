public import Foundation
internal import Records

/// Records and zones that belong together under one set of rules.
///
/// The calls here are meant for one item or a few and report `CKError`; operations give more control.
/// Nothing is retried, merged or cached.
// Sendable because every property is constant and Sendable.
open class CKDatabase: NSObject, @unchecked Sendable {
    /// Whose data it is.
    public enum Scope: Int, Sendable {
        /// Everybody's.
        case `public` = 1
        /// One person's own.
        case `private` = 2
        /// What others share with one person.
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

    /// Whose data it is.
    open var databaseScope: CKDatabase.Scope { scope }

    /// Starts an operation on this database.
    open func add(_ operation: CKDatabaseOperation) {
        operation.database = self
        core.queue.addOperation(operation)
    }

    /// The scope, for people.
    open override var description: String {
        "<CKDatabase: \(scope) of \(core.identifier)>"
    }
}

extension CKDatabase {
    /// Runs the body with a copy of the database whose calls use the configuration and the group (API sheet
    /// 7).
    @discardableResult
    public func configuredWith<R>(
        configuration: CKOperation.Configuration? = nil,
        group: CKOperationGroup? = nil,
        body: (_ configuredDatabase: CKDatabase) throws -> R
    ) rethrows -> R {
        try body(CKDatabase(core, scope: scope, configuration: configuration, group: group))
    }

    /// Runs the body with a copy of the database whose calls use the configuration and the group (API sheet
    /// 7).
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
    /// Starts an operation of a convenience call, with the configuration that `configuredWith` gave. A person
    /// is waiting, unless that says otherwise.
    func start(_ operation: CKDatabaseOperation) {
        operation.use(configuration, group)
        operation.useIfUnset(.userInitiated)
        add(operation)
    }

    /// Runs an operation of a convenience call to its end; cancelling the calling task cancels it.
    func perform<Value: Sendable>(
        _ make: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> CKDatabaseOperation
    ) async throws -> Value {
        try await awaitOperation(make) { start($0) }
    }

    /// Speaks to the server for this database.
    ///
    /// - Parameter configuration: That of an operation which begins now.
    func client(_ configuration: CKOperationConfiguration) -> CloudClient {
        let kind: DatabaseKind =
            switch scope {
            case .public: .public
            case .private: .private
            case .shared: .shared
            }
        return CloudClient(
            connection: core.connection,
            container: core.identifier,
            database: kind,
            patience: Patience(configuration)
        )
    }
}
