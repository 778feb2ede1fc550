import Foundation

/// Fetches subscriptions by ID, or all subscriptions of the signed-in person in a database.
///
/// Its quality of service is `.default` unless the app sets another. One of Apple's talks names `.utility`
/// instead; ``CKOperationConfiguration/qualityOfService`` says why it is not the default here.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckfetchsubscriptionsoperation>.
// Sendable because properties are set before the operation starts.
open class CKFetchSubscriptionsOperation: CKDatabaseOperation, @unchecked Sendable {
    private typealias Found = [(CKSubscription.ID, Result<CKSubscription, any Error>)]

    /// The subscriptions to fetch; nil in an operation that fetches all subscriptions.
    open var subscriptionIDs: [CKSubscription.ID]?
    /// Called once, when the operation ends, unless `fetchSubscriptionsResultBlock` is set. The error is
    /// `.partialFailure` if subscriptions were not found.
    open var fetchSubscriptionCompletionBlock:
        (
            (
                _ subscriptionsBySubscriptionID: [CKSubscription.ID: CKSubscription]?,
                _ operationError: (any Error)?
            ) -> Void
        )?
    /// Called once for each ID, with the subscription or the error.
    public var perSubscriptionResultBlock:
        (
            (_ subscriptionID: CKSubscription.ID, _ subscriptionResult: Result<CKSubscription, any Error>) ->
                Void
        )?
    /// Called once, when the operation ends. It is a success even if some subscriptions were not found.
    public var fetchSubscriptionsResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?

    private(set) var fetchesAll = false

    /// Creates an operation without input: set its properties before you add it to a database or container.
    public required override init() {
        super.init()
    }

    /// Creates an operation that fetches these subscriptions.
    public convenience init(subscriptionIDs: [CKSubscription.ID]) {
        self.init()
        self.subscriptionIDs = subscriptionIDs
    }

    /// Creates an operation that fetches all subscriptions of the signed-in person in the database.
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
