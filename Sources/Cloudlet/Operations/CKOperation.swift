public import Foundation

/// Work for a server that can be queued, made to depend on other work, and cancelled.
///
/// An ordinary asynchronous `Operation`: it works in any `OperationQueue`. Its blocks run one after the
/// other on a private queue; the block for the whole operation comes last, then `completionBlock`. An
/// operation runs once. Cancelled, it ends with `CKError.operationCancelled`.
// Sendable because the state lies behind a lock; blocks are set before the operation starts.
open class CKOperation: Operation, @unchecked Sendable {
    /// The name of an operation.
    public typealias ID = String
    /// How an operation runs.
    public typealias Configuration = CKOperationConfiguration

    private struct State {
        var configuration = CKOperationConfiguration.Values()
        var group: CKOperationGroup?
        var task: Task<Void, Never>?
        var isExecuting = false
        var isFinished = false
        var longLife: LongLife?
        // UUID(): the interface makes every operation's ID unique without being given one.
        var id = UUID().uuidString
    }

    private let state = Locked(State())
    private let callbacks = DispatchQueue(label: "cloudlet.operation")

    /// An operation that has nothing to do; only its subclasses have.
    public override init() {
        super.init()
    }

    /// How the operation runs; setting nil restores the defaults. Copied in and out.
    // The framework declares it so.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var configuration: CKOperation.Configuration! {
        get { CKOperationConfiguration(state.withLock { $0.configuration }) }
        set { state.withLock { $0.configuration = newValue?.explicit ?? .init() } }
    }

    /// The purpose it serves.
    open var group: CKOperationGroup? {
        get { state.withLock { $0.group } }
        set { state.withLock { $0.group = newValue } }
    }

    /// Names the operation.
    open var operationID: CKOperation.ID { state.withLock { $0.id } }

    /// Hears that a long-lived operation was written down: from now on it outlives the process.
    open var longLivedOperationWasPersistedBlock: (() -> Void)?

    /// Always true: the work goes on after `start()` returned.
    open override var isAsynchronous: Bool { true }

    /// Whether the work has begun and not ended.
    open override var isExecuting: Bool { state.withLock { $0.isExecuting } }

    /// Whether the work has ended.
    open override var isFinished: Bool { state.withLock { $0.isFinished } }

    /// Begins the work; called by the queue. A second call does nothing.
    open override func start() {
        let configuration = effectiveConfiguration
        let isFirst = state.withLock { state in
            guard !state.isExecuting, !state.isFinished else { return false }
            state.isExecuting = true
            return true
        }
        guard isFirst else { return }
        willChangeValue(forKey: "isExecuting")
        didChangeValue(forKey: "isExecuting")
        let priority = configuration.qualityOfService.taskPriority
        let isLongLived = configuration.isLongLived
        state.withLock { state in
            state.task = Task(priority: priority) {
                // Cancelled before it began, it must not get as far as the network before it hears of that.
                if self.isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
                await self.live(beyondProcess: isLongLived)
            }
        }
        if isCancelled { state.current.task?.cancel() }
    }

    /// Asks the operation to end early. What the server has already done stays done.
    open override func cancel() {
        super.cancel()
        state.current.task?.cancel()
        longLife?.end()
    }

    /// Ends as well what outlives the process, after the block has returned.
    open override var completionBlock: (@Sendable () -> Void)? {
        get { super.completionBlock }
        set {
            guard let block = newValue else {
                super.completionBlock = nil
                return
            }
            super.completionBlock = { [weak self] in
                block()
                self?.longLife?.end()
            }
        }
    }

    /// From the writing down to the end.
    private func live(beyondProcess isLongLived: Bool) async {
        let database = isLongLived && !isCancelled ? self as? CKDatabaseOperation : nil
        if let life = database?.beginLongLife() {
            state.withLock { $0.longLife = life }
            if isCancelled { life.end() }
            if completionBlock == nil { completionBlock = {} }
            await call { self.longLivedOperationWasPersistedBlock?() }
        }
        await perform()
        longLife?.finish()
        await call { self.finish() }
    }

    /// What the operation holds on to if it outlives the process.
    var longLife: LongLife? { state.withLock { $0.longLife } }

    /// Makes the operation the one of that ID, which an earlier process began.
    func take(id: CKOperation.ID) {
        state.withLock { $0.id = id }
    }

    /// The work of a subclass, in a task that is cancelled with the operation. Calls the operation's blocks.
    func perform() async {}

    /// Runs blocks of the app on the operation's own queue, and waits for their end.
    func call(_ blocks: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            callbacks.async {
                blocks()
                continuation.resume()
            }
        }
    }

    /// Runs a block of the app on the operation's own queue, after those that wait there, without waiting.
    func callLater(_ block: @escaping @Sendable () -> Void) {
        callbacks.async(execute: block)
    }

    /// What the operation, its group and the defaults set, in this order. A quality of service set on the
    /// operation as such counts like a default, that of the connection where there is none at all.
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

    /// Gives the operation a container if neither it nor its group has one.
    func useIfUnset(_ container: CKContainer) {
        guard effectiveConfiguration.container == nil else { return }
        state.withLock { $0.configuration.container = container }
    }

    /// Gives the operation a quality of service if neither it nor its group has one.
    func useIfUnset(_ quality: QualityOfService) {
        let group = group?.defaultConfiguration.explicit.qualityOfService
        guard group == nil, qualityOfService == .default else { return }
        state.withLock { state in
            if state.configuration.qualityOfService == nil { state.configuration.qualityOfService = quality }
        }
    }

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
    /// How urgent the work is among the tasks of the process.
    fileprivate var taskPriority: TaskPriority {
        switch self {
        case .userInteractive, .userInitiated: .userInitiated
        case .utility: .utility
        case .background: .background
        default: .medium
        }
    }
}
