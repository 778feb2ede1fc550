import Foundation

extension CKContainer {
    /// Whether somebody is signed in, and may use the service; hears `.couldNotDetermine` together with an
    /// error when the server cannot be asked. Never an error for "nobody".
    @preconcurrency
    public func accountStatus(
        completionHandler: @escaping @Sendable (CKAccountStatus, (any Error)?) -> Void
    ) {
        perform({ try await $0.accountStatus() }) { result in
            completionHandler(result.value ?? .couldNotDetermine, result.error)
        }
    }

    /// Whether somebody is signed in, and may use the service; throws `CKError` when the server cannot be
    /// asked.
    public func accountStatus() async throws -> CKAccountStatus {
        try await perform { try await $0.accountStatus() }
    }

    /// The record ID of whoever is signed in, in the default zone; `CKError.notAuthenticated` for nobody.
    @preconcurrency
    public func fetchUserRecordID(completionHandler: @escaping @Sendable (CKRecord.ID?, (any Error)?) -> Void)
    {
        perform({ try await $0.userRecordID() }) { completionHandler($0.value, $0.error) }
    }

    /// The record ID of whoever is signed in, in the default zone; throws `CKError.notAuthenticated` for
    /// nobody.
    public func userRecordID() async throws -> CKRecord.ID {
        try await perform { try await $0.userRecordID() }
    }
}

extension CKContainer {
    /// Does work for a call that has no operation of its own.
    func perform<Value: Sendable>(
        _ work: @escaping @Sendable (CloudClient) async throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        add(TaskOperation(configuration, work, completion: completion))
    }

    /// Does work for a call that has no operation of its own; cancelling the calling task cancels it.
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
