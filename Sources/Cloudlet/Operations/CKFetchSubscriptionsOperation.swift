import Foundation

/// Fetches subscriptions by ID, or all that the person has in a database.
// Sendable because properties are set before the operation starts.
open class CKFetchSubscriptionsOperation: CKDatabaseOperation, @unchecked Sendable {
    private typealias Found = [(CKSubscription.ID, Result<CKSubscription, any Error>)]

    /// The subscriptions to fetch; nil in an operation that fetches all.
    open var subscriptionIDs: [CKSubscription.ID]?
    /// Hears of the end, with `.partialFailure` when subscriptions were not found, unless
    /// `fetchSubscriptionsResultBlock` does.
    open var fetchSubscriptionCompletionBlock:
        (
            (
                _ subscriptionsBySubscriptionID: [CKSubscription.ID: CKSubscription]?,
                _ operationError: (any Error)?
            ) -> Void
        )?
    /// Hears what was found under each ID.
    public var perSubscriptionResultBlock:
        (
            (_ subscriptionID: CKSubscription.ID, _ subscriptionResult: Result<CKSubscription, any Error>) ->
                Void
        )?
    /// Hears of the end; a success even when single subscriptions were not found.
    public var fetchSubscriptionsResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?

    private(set) var fetchesAll = false

    /// An operation with nothing to do yet.
    public required override init() {
        super.init()
    }

    /// Fetches these subscriptions.
    public convenience init(subscriptionIDs: [CKSubscription.ID]) {
        self.init()
        self.subscriptionIDs = subscriptionIDs
    }

    /// Fetches all subscriptions in the database.
    open class func fetchAllSubscriptionsOperation() -> Self {
        let operation = self.init()
        operation.fetchesAll = true
        return operation
    }

    override func perform() async {
        let result: Result<Found, any Error>
        do {
            try Task.checkCancellation()
            result = .success(
                fetchesAll
                    ? try await client.subscriptions.all().map { ($0.subscriptionID, .success($0)) }
                    : try await client.subscriptions.named(subscriptionIDs ?? []))
        } catch {
            result = .failure(CKError(failure: error))
        }
        await call {
            for (id, found) in result.value ?? [] { self.perSubscriptionResultBlock?(id, found) }
            self.complete(result)
        }
    }

    private func complete(_ result: Result<Found, any Error>) {
        if let fetchSubscriptionsResultBlock {
            fetchSubscriptionsResultBlock(result.map { _ in () })
            return
        }
        guard let fetchSubscriptionCompletionBlock else { return }
        var subscriptions: [CKSubscription.ID: CKSubscription] = [:]
        var errors: [CKSubscription.ID: any Error] = [:]
        for (id, found) in result.value ?? [] {
            subscriptions[id] = found.value
            errors[id] = found.error
        }
        let partial: CKError? = errors.isEmpty ? nil : .partialFailure(errors)
        fetchSubscriptionCompletionBlock(subscriptions, result.error ?? partial)
    }
}
