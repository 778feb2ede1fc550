import Foundation

/// Saves and deletes subscriptions of the signed-in person.
///
/// Its quality of service is `.default` unless the app sets another. One of Apple's talks names `.utility`
/// instead; ``CKOperationConfiguration/qualityOfService`` says why it is not the default here.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckmodifysubscriptionsoperation>.
// Sendable because properties are set before the operation starts.
open class CKModifySubscriptionsOperation: CKDatabaseOperation, @unchecked Sendable {
    /// The subscriptions to save. A subscription replaces an existing one with the same ID.
    open var subscriptionsToSave: [CKSubscription]?
    /// The subscriptions to delete.
    open var subscriptionIDsToDelete: [CKSubscription.ID]?
    /// Called once, when the operation ends, unless `modifySubscriptionsResultBlock` is set. The error is
    /// `.partialFailure` if subscriptions failed.
    open var modifySubscriptionsCompletionBlock:
        (
            (
                _ savedSubscriptions: [CKSubscription]?, _ deletedSubscriptionIDs: [CKSubscription.ID]?,
                _ operationError: (any Error)?
            ) -> Void
        )?
    /// Called once for each subscription to save, with the saved subscription or the error.
    public var perSubscriptionSaveBlock:
        ((_ subscriptionID: CKSubscription.ID, _ saveResult: Result<CKSubscription, any Error>) -> Void)?
    /// Called once for each subscription to delete, with success or the error.
    public var perSubscriptionDeleteBlock:
        ((_ subscriptionID: CKSubscription.ID, _ deleteResult: Result<Void, any Error>) -> Void)?
    /// Called once, when the operation ends. It is a success even if some subscriptions failed.
    public var modifySubscriptionsResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?

    /// Creates an operation without input: set its properties before you add it to a database or container.
    public override init() {
        super.init()
    }

    /// Creates an operation that saves and deletes these subscriptions.
    public convenience init(
        subscriptionsToSave: [CKSubscription]? = nil, subscriptionIDsToDelete: [CKSubscription.ID]? = nil
    ) {
        self.init()
        self.subscriptionsToSave = subscriptionsToSave
        self.subscriptionIDsToDelete = subscriptionIDsToDelete
    }

    override func perform() async {
        let result: Result<[SubscriptionOutcome], any Error>
        do {
            try Task.checkCancellation()
            result = .success(
                try await client.subscriptions.modify(
                    saving: subscriptionsToSave ?? [], deleting: subscriptionIDsToDelete ?? []))
        } catch {
            result = .failure(CKError(failure: error))
        }
        await call {
            for outcome in result.value ?? [] {
                switch outcome {
                case .saved(let id, let result): self.perSubscriptionSaveBlock?(id, result)
                case .deleted(let id, let result): self.perSubscriptionDeleteBlock?(id, result)
                }
            }
            self.complete(result)
        }
    }

    private func complete(_ result: Result<[SubscriptionOutcome], any Error>) {
        if let modifySubscriptionsResultBlock {
            modifySubscriptionsResultBlock(result.map { _ in () })
            return
        }
        guard let modifySubscriptionsCompletionBlock else { return }
        var saved: [CKSubscription] = []
        var deleted: [CKSubscription.ID] = []
        var errors: [CKSubscription.ID: any Error] = [:]
        for outcome in result.value ?? [] {
            switch outcome {
            case .saved(_, .success(let subscription)): saved.append(subscription)
            case .saved(let id, .failure(let error)): errors[id] = error
            case .deleted(let id, .success): deleted.append(id)
            case .deleted(let id, .failure(let error)): errors[id] = error
            }
        }
        let partial: CKError? = errors.isEmpty ? nil : .partialFailure(errors)
        modifySubscriptionsCompletionBlock(saved, deleted, result.error ?? partial)
    }
}
