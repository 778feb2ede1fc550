import Foundation
internal import Records

/// An operation on one database.
///
/// Its quality of service is `.default` unless the app sets another. One of Apple's talks names `.utility`
/// instead; ``CKOperationConfiguration/qualityOfService`` says why it is not the default here.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckdatabaseoperation>.
// Sendable because the database is behind a lock.
open class CKDatabaseOperation: CKOperation, @unchecked Sendable {
    private let chosen = Locked<CKDatabase?>(nil)

    /// Returns whether to download an asset of a fetched record; nil downloads all. An asset that is not
    /// downloaded has no file.
    var wantsFile: (@Sendable (Asset) -> Bool)?

    /// Creates an operation without a database. Only subclasses do any work.
    public override init() {
        super.init()
    }

    /// The database to work on. Nil means the private database of the configuration's container. Setting a
    /// database also sets its container.
    open var database: CKDatabase? {
        get { chosen.current }
        set {
            chosen.withLock { $0 = newValue }
            if let newValue { container = CKContainer(newValue.core) }
        }
    }

    /// A client with the operation's current configuration. Its time limits begin now.
    var client: CloudClient {
        let configuration = effectiveConfiguration
        let target = database ?? (configuration.container ?? CKContainer.default()).privateCloudDatabase
        var client = target.client(configuration)
        client.recorder = storedOperation?.recorder
        if let wantsFile { client.wantsFile = wantsFile }
        return client
    }
}

/// An operation that runs one async closure, for calls that have no operation class of their own.
// Sendable because every property is immutable and Sendable.
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
    /// A client for the operation's container with its current configuration. Its time limits begin now.
    var containerClient: CloudClient {
        let configuration = effectiveConfiguration
        let container = configuration.container ?? CKContainer.default()
        return container.publicCloudDatabase.client(configuration)
    }

    /// Runs the work and converts its error to `CKError`.
    func attempt<Value>(_ work: () async throws -> Value) async -> Result<Value, any Error> {
        do {
            try Task.checkCancellation()
            return .success(try await work())
        } catch {
            return .failure(CKError(failure: error))
        }
    }
}

/// Runs an operation to its end. Cancelling the calling task cancels the operation.
///
/// - Parameters:
///   - make: Creates the operation. It must call its argument exactly once, with the result.
///   - add: Starts the operation.
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
    /// The value of a success; nil for a failure.
    var value: Success? {
        if case .success(let value) = self { value } else { nil }
    }

    /// The error of a failure; nil for a success.
    var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
