import Foundation

/// The result of each subscription of a batch.
typealias SubscriptionModifyResults = (
    saveResults: [CKSubscription.ID: Result<CKSubscription, any Error>],
    deleteResults: [CKSubscription.ID: Result<Void, any Error>]
)

extension CKDatabase {
    /// Fetches one subscription. It fails with `CKError.unknownItem` if the subscription does not exist.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func fetch(
        withSubscriptionID subscriptionID: CKSubscription.ID,
        completionHandler: @escaping @Sendable (CKSubscription?, (any Error)?) -> Void
    ) {
        start(
            fetching([subscriptionID]) { Self.deliver($0.single(subscriptionID), to: completionHandler) })
    }

    /// Fetches one subscription.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    ///
    /// - Throws: `CKError.unknownItem` if the subscription does not exist.
    public func subscription(for subscriptionID: CKSubscription.ID) async throws -> CKSubscription {
        try await perform { completion in
            fetching([subscriptionID]) { completion($0.single(subscriptionID)) }
        }
    }

    /// Fetches all subscriptions of the signed-in person in this database.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func fetchAllSubscriptions(
        completionHandler: @escaping @Sendable ([CKSubscription]?, (any Error)?) -> Void
    ) {
        start(fetchingAllSubscriptions { Self.deliver($0, to: completionHandler) })
    }

    /// Fetches all subscriptions of the signed-in person in this database.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    public func allSubscriptions() async throws -> [CKSubscription] {
        try await perform { fetchingAllSubscriptions(completion: $0) }
    }

    /// Saves one subscription, and replaces an existing one with the same ID.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func save(
        _ subscription: CKSubscription,
        completionHandler: @escaping @Sendable (CKSubscription?, (any Error)?) -> Void
    ) {
        let id = subscription.subscriptionID
        start(
            modifying([subscription], []) {
                Self.deliver($0.map(\.saveResults).single(id), to: completionHandler)
            })
    }

    /// Saves one subscription, and replaces an existing one with the same ID.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @discardableResult
    public func save(_ subscription: CKSubscription) async throws -> CKSubscription {
        let id = subscription.subscriptionID
        return try await perform { completion in
            modifying([subscription], []) { completion($0.map(\.saveResults).single(id)) }
        }
    }

    /// Deletes one subscription.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func delete(
        withSubscriptionID subscriptionID: CKSubscription.ID,
        completionHandler: @escaping @Sendable (String?, (any Error)?) -> Void
    ) {
        start(
            modifying([], [subscriptionID]) { result in
                Self.deliver(
                    result.map(\.deleteResults).single(subscriptionID).map { subscriptionID },
                    to: completionHandler)
            })
    }

    /// Deletes one subscription.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @discardableResult
    public func deleteSubscription(
        withID subscriptionID: CKSubscription.ID
    ) async throws -> CKSubscription.ID {
        try await perform { completion in
            modifying([], [subscriptionID]) { result in
                completion(result.map(\.deleteResults).single(subscriptionID).map { subscriptionID })
            }
        }
    }

    /// Fetches subscriptions by ID. Each ID has its own result: the subscription, or the error for this one
    /// alone.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func fetch(
        withSubscriptionIDs subscriptionIDs: [CKSubscription.ID],
        completionHandler:
            @escaping @Sendable (
                Result<[CKSubscription.ID: Result<CKSubscription, any Error>], any Error>
            ) -> Void
    ) {
        start(fetching(subscriptionIDs, completion: completionHandler))
    }

    /// Fetches subscriptions by ID. Each ID has its own result: the subscription, or the error for this one
    /// alone.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    public func subscriptions(
        for ids: [CKSubscription.ID]
    ) async throws -> [CKSubscription.ID: Result<CKSubscription, any Error>] {
        try await perform { fetching(ids, completion: $0) }
    }

    /// Saves and deletes subscriptions. Each has its own result: the subscription, or the error for this one
    /// alone.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func modifySubscriptions(
        saving subscriptionsToSave: [CKSubscription],
        deleting subscriptionIDsToDelete: [CKSubscription.ID],
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        saveResults: [CKSubscription.ID: Result<CKSubscription, any Error>],
                        deleteResults: [CKSubscription.ID: Result<Void, any Error>]
                    ), any Error
                >
            ) -> Void
    ) {
        start(modifying(subscriptionsToSave, subscriptionIDsToDelete, completion: completionHandler))
    }

    /// Saves and deletes subscriptions. Each has its own result: the subscription, or the error for this one
    /// alone.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    public func modifySubscriptions(
        saving subscriptionsToSave: [CKSubscription],
        deleting subscriptionIDsToDelete: [CKSubscription.ID]
    ) async throws -> (
        saveResults: [CKSubscription.ID: Result<CKSubscription, any Error>],
        deleteResults: [CKSubscription.ID: Result<Void, any Error>]
    ) {
        try await perform { modifying(subscriptionsToSave, subscriptionIDsToDelete, completion: $0) }
    }
}

extension CKDatabase {
    private func fetchingAllSubscriptions(
        completion: @escaping @Sendable (Result<[CKSubscription], any Error>) -> Void
    ) -> CKFetchSubscriptionsOperation {
        let operation = CKFetchSubscriptionsOperation.fetchAllSubscriptionsOperation()
        let found = Locked<[CKSubscription]>([])
        operation.perSubscriptionResultBlock = { _, result in
            if case .success(let subscription) = result { found.withLock { $0.append(subscription) } }
        }
        operation.fetchSubscriptionsResultBlock = { result in completion(result.map { found.current }) }
        return operation
    }

    private func fetching(
        _ ids: [CKSubscription.ID],
        completion:
            @escaping @Sendable (
                Result<[CKSubscription.ID: Result<CKSubscription, any Error>], any Error>
            ) -> Void
    ) -> CKFetchSubscriptionsOperation {
        let operation = CKFetchSubscriptionsOperation(subscriptionIDs: ids)
        let found = Locked<[CKSubscription.ID: Result<CKSubscription, any Error>]>([:])
        operation.perSubscriptionResultBlock = { id, result in found.withLock { $0[id] = result } }
        operation.fetchSubscriptionsResultBlock = { result in completion(result.map { found.current }) }
        return operation
    }

    private func modifying(
        _ subscriptions: [CKSubscription],
        _ deletions: [CKSubscription.ID],
        completion: @escaping @Sendable (Result<SubscriptionModifyResults, any Error>) -> Void
    ) -> CKModifySubscriptionsOperation {
        let operation = CKModifySubscriptionsOperation(
            subscriptionsToSave: subscriptions, subscriptionIDsToDelete: deletions)
        let results = Locked<SubscriptionModifyResults>((saveResults: [:], deleteResults: [:]))
        operation.perSubscriptionSaveBlock = { id, result in
            results.withLock { $0.saveResults[id] = result }
        }
        operation.perSubscriptionDeleteBlock = { id, result in
            results.withLock { $0.deleteResults[id] = result }
        }
        operation.modifySubscriptionsResultBlock = { result in completion(result.map { results.current }) }
        return operation
    }
}
