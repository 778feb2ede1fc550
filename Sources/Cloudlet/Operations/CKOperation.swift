public import Foundation

/// An asynchronous operation that sends requests to a server. It can be queued, depend on other operations,
/// and be cancelled.
///
/// It works in any `OperationQueue`. Its blocks run one after the other on a private queue; the block for the
/// whole operation runs last, then `completionBlock`. An operation runs once. If it is cancelled, it ends
/// with `CKError.operationCancelled`.
///
/// Its quality of service is `.default` unless the app sets another. One of Apple's talks names `.utility`
/// instead; ``CKOperationConfiguration/qualityOfService`` says why it is not the default here.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckoperation>.
// Sendable because the state is behind a lock, and blocks are set before the operation starts.
open class CKOperation: Operation, @unchecked Sendable {
    /// The ID of an operation.
    public typealias ID = String
    /// The configuration of an operation.
    public typealias Configuration = CKOperationConfiguration

    private struct State {
        var configuration = CKOperationConfiguration.Values()
        var group: CKOperationGroup?
        var task: Task<Void, Never>?
        var isExecuting = false
        var isFinished = false
        var storedOperation: StoredOperation?
        var usesBackgroundSession = false
        // UUID(): CloudKit's interface gives each operation a unique ID that no caller provides.
        var id = UUID().uuidString
    }

    private let state = Locked(State())
    private let callbacks = DispatchQueue(label: "cloudlet.operation")

    /// Creates an operation that does nothing. Only subclasses do any work.
    public override init() {
        super.init()
    }

    /// The operation's configuration. Setting nil restores the defaults. The getter and the setter copy it.
    // CloudKit declares it as an implicitly unwrapped optional.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var configuration: CKOperation.Configuration! {
        get { CKOperationConfiguration(state.withLock { $0.configuration }) }
        set { state.withLock { $0.configuration = newValue?.explicit ?? .init() } }
    }

    /// The group that the operation belongs to.
    open var group: CKOperationGroup? {
        get { state.withLock { $0.group } }
        set { state.withLock { $0.group = newValue } }
    }

    /// The operation's unique ID.
    open var operationID: CKOperation.ID { state.withLock { $0.id } }

    /// Called when a long-lived operation has been stored. From then on it can outlive the process.
    open var longLivedOperationWasPersistedBlock: (() -> Void)?

    /// Kept without effect: on Linux, a process that waits for its transfers is not suspended.
    @available(*, deprecated, message: "Use configuration.isLongLived.")
    open var usesBackgroundSession: Bool {
        get { state.withLock { $0.usesBackgroundSession } }
        set { state.withLock { $0.usesBackgroundSession = newValue } }
    }

    /// Does nothing and returns nil: Linux has no activity tracing.
    @available(*, deprecated, message: "Use operationID to find an operation in a log.")
    @discardableResult
    open func activityStart() -> OpaquePointer? { nil }

    /// Always true: the work continues after `start()` has returned.
    open override var isAsynchronous: Bool { true }

    /// Whether the work has started and not ended.
    open override var isExecuting: Bool { state.withLock { $0.isExecuting } }

    /// Whether the work has ended.
    open override var isFinished: Bool { state.withLock { $0.isFinished } }

    /// Starts the work. The queue calls this method; a second call does nothing.
    open override func start() {
        let configuration = effectiveConfiguration
        let isFirst = state.withLock { state in
            guard !state.isExecuting, !state.isFinished else { return false }
            state.isExecuting = true
            return true
        }
        guard isFirst else { return }
        configuration.container?.core.connection.onOperation?(configuration.qualityOfService)
        willChangeValue(forKey: "isExecuting")
        didChangeValue(forKey: "isExecuting")
        let priority = configuration.qualityOfService.taskPriority
        let isLongLived = configuration.isLongLived
        state.withLock { state in
            state.task = Task(priority: priority) {
                // An operation that is cancelled before it starts must not send anything.
                if self.isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
                await self.runToEnd(isLongLived: isLongLived)
            }
        }
        if isCancelled { state.current.task?.cancel() }
    }

    /// Cancels the operation. Changes that the server has already made are not undone.
    open override func cancel() {
        super.cancel()
        state.current.task?.cancel()
        storedOperation?.end()
    }

    /// The block to call after the operation has ended. After the block returns, a stored long-lived
    /// operation is deleted.
    open override var completionBlock: (@Sendable () -> Void)? {
        get { super.completionBlock }
        set {
            guard let block = newValue else {
                super.completionBlock = nil
                return
            }
            super.completionBlock = { [weak self] in
                block()
                self?.storedOperation?.end()
            }
        }
    }

    /// Stores the operation if it is long-lived, performs it, and finishes.
    private func runToEnd(isLongLived: Bool) async {
        let database = isLongLived && !isCancelled ? self as? CKDatabaseOperation : nil
        if let stored = database?.beginStoring() {
            state.withLock { $0.storedOperation = stored }
            if isCancelled { stored.end() }
            // The setter adds the deletion of the stored operation.
            if completionBlock == nil { completionBlock = {} }
            await call { self.longLivedOperationWasPersistedBlock?() }
        }
        await perform()
        storedOperation?.finish()
        await call { self.finish() }
    }

    /// The stored state of a long-lived operation; nil for others.
    var storedOperation: StoredOperation? { state.withLock { $0.storedOperation } }

    /// Sets the ID, to continue an operation that an earlier process began.
    func take(id: CKOperation.ID) {
        state.withLock { $0.id = id }
    }

    /// Performs the operation and calls its blocks. Subclasses override it; its task is cancelled with the
    /// operation.
    func perform() async {}

    /// Runs the app's blocks on the operation's queue and waits until they return.
    func call(_ blocks: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            callbacks.async {
                blocks()
                continuation.resume()
            }
        }
    }

    /// Schedules a block of the app on the operation's queue, after the blocks that are already waiting, and
    /// returns at once.
    func callLater(_ block: @escaping @Sendable () -> Void) {
        callbacks.async(execute: block)
    }

    /// The values in effect: those that the operation's configuration sets, else those of its group, else the
    /// defaults. If neither sets a quality of service, the `qualityOfService` property of the operation
    /// applies, unless it is `.default`; then the connection's default applies.
    var effectiveConfiguration: CKOperationConfiguration {
        let (own, group) = state.withLock { ($0.configuration, $0.group) }
        var values = own.filled(from: group?.defaultConfiguration.explicit ?? .init())
        if values.qualityOfService == nil, qualityOfService != .default {
            values.qualityOfService = qualityOfService
        }
        if values.qualityOfService == nil {
            let connection = values.container?.core.connection ?? .default
            values.qualityOfService = connection.defaultQualityOfService
        }
        return CKOperationConfiguration(values)
    }

    /// Sets the container if neither the operation nor its group has one.
    func useIfUnset(_ container: CKContainer) {
        guard effectiveConfiguration.container == nil else { return }
        state.withLock { $0.configuration.container = container }
    }

    /// Sets the quality of service if neither the operation nor its group has one.
    func useIfUnset(_ quality: QualityOfService) {
        let group = group?.defaultConfiguration.explicit.qualityOfService
        guard group == nil, qualityOfService == .default else { return }
        state.withLock { state in
            if state.configuration.qualityOfService == nil { state.configuration.qualityOfService = quality }
        }
    }

    /// Sets the configuration and the group; nil leaves the present one.
    func use(_ configuration: CKOperationConfiguration?, _ group: CKOperationGroup?) {
        state.withLock { state in
            if let configuration { state.configuration = configuration.explicit }
            if let group { state.group = group }
        }
    }

    private func finish() {
        willChangeValue(forKey: "isExecuting")
        willChangeValue(forKey: "isFinished")
        state.withLock { state in
            state.isExecuting = false
            state.isFinished = true
            state.task = nil
        }
        didChangeValue(forKey: "isExecuting")
        didChangeValue(forKey: "isFinished")
    }
}

extension QualityOfService {
    /// The task priority that corresponds to the quality of service.
    fileprivate var taskPriority: TaskPriority {
        switch self {
        case .userInteractive, .userInitiated: .userInitiated
        case .utility: .utility
        case .background: .background
        default: .medium
        }
    }
}
