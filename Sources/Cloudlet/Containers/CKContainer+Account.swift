// Owns the questions about who is signed in.

import Foundation

extension CKContainer {
    /// Whether somebody is signed in; hears `.couldNotDetermine` together with an error when the server
    /// cannot be asked (API sheet 6). Never an error for "nobody".
    @preconcurrency
    public func accountStatus(
        completionHandler: @escaping @Sendable (CKAccountStatus, (any Error)?) -> Void
    ) {
        add(
            TaskOperation(configuration) { client in
                try await client.accountStatus()
            } completion: { result in
                switch result {
                case .success(let status): completionHandler(status, nil)
                case .failure(let error): completionHandler(.couldNotDetermine, error)
                }
            })
    }

    /// Whether somebody is signed in; throws `CKError` when the server cannot be asked.
    public func accountStatus() async throws -> CKAccountStatus {
        try await perform { completion in
            TaskOperation(configuration, { try await $0.accountStatus() }, completion: completion)
        }
    }

    /// The record ID of whoever is signed in, in the default zone; `CKError.notAuthenticated` for nobody.
    @preconcurrency
    public func fetchUserRecordID(completionHandler: @escaping @Sendable (CKRecord.ID?, (any Error)?) -> Void)
    {
        add(
            TaskOperation(configuration) { client in
                try await client.userRecordID()
            } completion: { result in
                completionHandler(result.value, result.error)
            })
    }

    /// The record ID of whoever is signed in, in the default zone; throws `CKError.notAuthenticated` for
    /// nobody.
    public func userRecordID() async throws -> CKRecord.ID {
        try await perform { completion in
            TaskOperation(configuration, { try await $0.userRecordID() }, completion: completion)
        }
    }

    /// Runs an operation to its end; cancelling the calling task cancels it.
    private func perform<Value: Sendable>(
        _ make: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> CKOperation
    ) async throws -> Value {
        try await awaitOperation(make) { add($0) }
    }
}

extension CloudClient {
    fileprivate func accountStatus() async throws -> CKAccountStatus {
        guard connection.webAuthToken != nil else { return .noAccount }
        do {
            _ = try await userRecordID()
            return .available
        } catch CKError.notAuthenticated {
            return .noAccount
        }
    }
}
