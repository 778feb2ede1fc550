import Foundation
internal import Records

/// An operation on one database.
// Sendable because the database lies behind a lock.
open class CKDatabaseOperation: CKOperation, @unchecked Sendable {
    private let chosen = Locked<CKDatabase?>(nil)

    /// An operation without a database; only subclasses have something to do.
    public override init() {
        super.init()
    }

    /// The database to work on; nil means the private one of the configuration's container. Setting it also
    /// sets that container.
    open var database: CKDatabase? {
        get { chosen.current }
        set {
            chosen.withLock { $0 = newValue }
            if let newValue { container = CKContainer(newValue.core) }
        }
    }

    /// Speaks to the server as the operation's configuration says, which begins to count now.
    var client: CloudClient {
        let configuration = effectiveConfiguration
        let target = database ?? (configuration.container ?? CKContainer.default()).privateCloudDatabase
        var client = target.client(configuration)
        client.recorder = longLife?.recorder
        return client
    }
}

/// An operation made of one piece of asynchronous work, for calls that have no class of their own.
// Sendable because every property is constant and Sendable.
final class TaskOperation<Value: Sendable>: CKOperation, @unchecked Sendable {
    private let work: @Sendable (CloudClient) async throws -> Value
    private let completion: @Sendable (Result<Value, any Error>) -> Void

    init(
        _ configuration: CKOperationConfiguration?,
        _ work: @escaping @Sendable (CloudClient) async throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        self.work = work
        self.completion = completion
        super.init()
        use(configuration, nil)
        useIfUnset(.userInitiated)
    }

    override func perform() async {
        let client = containerClient
        let result = await attempt { try await self.work(client) }
        await call { self.completion(result) }
    }
}

extension CKOperation {
    /// Speaks to the server for the operation's container, as its configuration says, which begins to count
    /// now.
    var containerClient: CloudClient {
        let configuration = effectiveConfiguration
        let container = configuration.container ?? CKContainer.default()
        return container.publicCloudDatabase.client(configuration)
    }

    /// The work's result, with errors in the form that apps catch.
    func attempt<Value>(_ work: () async throws -> Value) async -> Result<Value, any Error> {
        do {
            try Task.checkCancellation()
            return .success(try await work())
        } catch {
            return .failure(CKError(failure: error))
        }
    }
}

/// Runs an operation to its end; cancelling the calling task cancels it.
///
/// - Parameters:
///   - make: Makes the operation; what it is given must be called exactly once with the result.
///   - add: Starts it.
func awaitOperation<Value: Sendable, Work: CKOperation>(
    _ make: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Work,
    add: (Work) -> Void
) async throws -> Value {
    let running = Locked<Work?>(nil)
    return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
            let operation = make { continuation.resume(with: $0) }
            running.withLock { $0 = operation }
            if Task.isCancelled { operation.cancel() }
            add(operation)
        }
    } onCancel: {
        running.current?.cancel()
    }
}

extension Result {
    /// The value of a success.
    var value: Success? {
        if case .success(let value) = self { value } else { nil }
    }

    /// The error of a failure.
    var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
