import Foundation

extension CKContainer {
    /// Reports whether a person is signed in and may use the service. The status is `.couldNotDetermine`,
    /// with an error, if the server cannot be asked; "nobody is signed in" is not an error.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func accountStatus(
        completionHandler: @escaping @Sendable (CKAccountStatus, (any Error)?) -> Void
    ) {
        perform({ try await $0.accountStatus() }) { result in
            completionHandler(result.value ?? .couldNotDetermine, result.error)
        }
    }

    /// Whether a person is signed in and may use the service. "Nobody is signed in" is a status, not an
    /// error.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    ///
    /// - Throws: `CKError` if the server cannot be asked.
    public func accountStatus() async throws -> CKAccountStatus {
        try await perform { try await $0.accountStatus() }
    }

    /// Fetches the record ID of the signed-in person, in the default zone. It fails with
    /// `CKError.notAuthenticated` if nobody is signed in.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func fetchUserRecordID(completionHandler: @escaping @Sendable (CKRecord.ID?, (any Error)?) -> Void)
    {
        perform({ try await $0.userRecordID() }) { completionHandler($0.value, $0.error) }
    }

    /// Fetches the record ID of the signed-in person, in the default zone.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    ///
    /// - Throws: `CKError.notAuthenticated` if nobody is signed in.
    public func userRecordID() async throws -> CKRecord.ID {
        try await perform { try await $0.userRecordID() }
    }
}

extension CKContainer {
    /// Runs a call that has no operation class of its own as an operation of this container.
    func perform<Value: Sendable>(
        _ work: @escaping @Sendable (CloudClient) async throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        add(TaskOperation(configuration, work, completion: completion))
    }

    /// Runs a call that has no operation class of its own as an operation of this container. Cancelling the
    /// calling task cancels the operation.
    func perform<Value: Sendable>(
        _ work: @escaping @Sendable (CloudClient) async throws -> Value
    ) async throws -> Value {
        try await awaitOperation {
            TaskOperation(configuration, work, completion: $0)
        } add: {
            add($0)
        }
    }
}

extension CloudClient {
    fileprivate func accountStatus() async throws -> CKAccountStatus {
        guard context.isSignedIn else { return .noAccount }
        do {
            _ = try await userRecordID()
            return .available
        } catch CKError.notAuthenticated {
            return .noAccount
        } catch CKError.managedAccountRestricted {
            return .restricted
        } catch CKError.accountTemporarilyUnavailable {
            return .temporarilyUnavailable
        }
    }
}
