public import Foundation

extension CKContainer {
    /// Creates a participant from an e-mail address. Without a match, the participant has no account.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func fetchShareParticipant(
        withEmailAddress emailAddress: String,
        completionHandler: @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void
    ) {
        perform({ try await $0.participant(CKUserIdentityLookupInfo(emailAddress: emailAddress)) }) {
            completionHandler($0.value, $0.error)
        }
    }

    /// Creates a participant from an e-mail address. Without a match, the participant has no account.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    public func shareParticipant(forEmailAddress emailAddress: String) async throws -> CKShare.Participant {
        try await perform { try await $0.participant(CKUserIdentityLookupInfo(emailAddress: emailAddress)) }
    }

    /// Creates a participant from a phone number. Without a match, the participant has no account.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func fetchShareParticipant(
        withPhoneNumber phoneNumber: String,
        completionHandler: @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void
    ) {
        perform({ try await $0.participant(CKUserIdentityLookupInfo(phoneNumber: phoneNumber)) }) {
            completionHandler($0.value, $0.error)
        }
    }

    /// Creates a participant from a phone number. Without a match, the participant has no account.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    public func shareParticipant(forPhoneNumber phoneNumber: String) async throws -> CKShare.Participant {
        try await perform { try await $0.participant(CKUserIdentityLookupInfo(phoneNumber: phoneNumber)) }
    }

    /// Creates a participant from a user record ID. Without a match, it fails with `CKError.unknownItem`.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func fetchShareParticipant(
        withUserRecordID userRecordID: CKRecord.ID,
        completionHandler: @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void
    ) {
        perform({ try await $0.participant(CKUserIdentityLookupInfo(userRecordID: userRecordID)) }) {
            completionHandler($0.value, $0.error)
        }
    }

    /// Creates a participant from a user record ID. Without a match, it fails with `CKError.unknownItem`.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    public func shareParticipant(
        forUserRecordID userRecordID: CKRecord.ID
    ) async throws -> CKShare.Participant {
        try await perform { try await $0.participant(CKUserIdentityLookupInfo(userRecordID: userRecordID)) }
    }

    /// Creates participants from e-mail addresses; those of unknown people have no account.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func fetchShareParticipants(
        forEmailAddresses emails: [String],
        completionHandler:
            @escaping @Sendable (Result<[String: Result<CKShare.Participant, any Error>], any Error>) -> Void
    ) {
        perform({ try await $0.participants(emails) { CKUserIdentityLookupInfo(emailAddress: $0) } }) {
            completionHandler($0)
        }
    }

    /// Creates participants from e-mail addresses; those of unknown people have no account.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    public func shareParticipants(
        forEmailAddresses emails: [String]
    ) async throws -> [String: Result<CKShare.Participant, any Error>] {
        try await perform { try await $0.participants(emails) { CKUserIdentityLookupInfo(emailAddress: $0) } }
    }

    /// Creates participants from phone numbers; those of unknown people have no account.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func fetchShareParticipants(
        forPhoneNumbers phoneNumbers: [String],
        completionHandler:
            @escaping @Sendable (Result<[String: Result<CKShare.Participant, any Error>], any Error>) -> Void
    ) {
        perform({ try await $0.participants(phoneNumbers) { CKUserIdentityLookupInfo(phoneNumber: $0) } }) {
            completionHandler($0)
        }
    }

    /// Creates participants from phone numbers; those of unknown people have no account.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    public func shareParticipants(
        forPhoneNumbers phoneNumbers: [String]
    ) async throws -> [String: Result<CKShare.Participant, any Error>] {
        try await perform {
            try await $0.participants(phoneNumbers) { CKUserIdentityLookupInfo(phoneNumber: $0) }
        }
    }

    /// Creates participants from user record IDs; the result for an unknown person is `CKError.unknownItem`.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func fetchShareParticipants(
        forUserRecordIDs userRecordIDs: [CKRecord.ID],
        completionHandler:
            @escaping @Sendable (Result<[CKRecord.ID: Result<CKShare.Participant, any Error>], any Error>) ->
            Void
    ) {
        perform({ try await $0.participants(userRecordIDs) { CKUserIdentityLookupInfo(userRecordID: $0) } }) {
            completionHandler($0)
        }
    }

    /// Creates participants from user record IDs; the result for an unknown person is `CKError.unknownItem`.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    public func shareParticipants(
        forUserRecordIDs userRecordIDs: [CKRecord.ID]
    ) async throws -> [CKRecord.ID: Result<CKShare.Participant, any Error>] {
        try await perform {
            try await $0.participants(userRecordIDs) { CKUserIdentityLookupInfo(userRecordID: $0) }
        }
    }
}

extension CKContainer {
    /// Fetches the metadata of a share by its URL; see ``CKFetchShareMetadataOperation`` for the errors.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func fetchShareMetadata(
        with url: URL, completionHandler: @escaping @Sendable (CKShare.Metadata?, (any Error)?) -> Void
    ) {
        fetchShareMetadatas(for: [url]) { result in
            let one = result.single(url)
            completionHandler(one.value, one.error)
        }
    }

    /// Fetches the metadata of a share by its URL; see ``CKFetchShareMetadataOperation`` for the errors.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    public func shareMetadata(for url: URL) async throws -> CKShare.Metadata {
        let found = try await shareMetadatas(for: [url])
        return try (found[url] ?? .failure(CKError.noResult)).get()
    }

    /// Fetches the metadata of shares by their URLs; see ``CKFetchShareMetadataOperation`` for the errors.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func fetchShareMetadatas(
        for urls: [URL],
        completionHandler:
            @escaping @Sendable (Result<[URL: Result<CKShare.Metadata, any Error>], any Error>) -> Void
    ) {
        add(metadataOperation(urls, completionHandler))
    }

    /// Fetches the metadata of shares by their URLs; see ``CKFetchShareMetadataOperation`` for the errors.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    public func shareMetadatas(for urls: [URL]) async throws -> [URL: Result<CKShare.Metadata, any Error>] {
        try await awaitOperation {
            metadataOperation(urls, $0)
        } add: {
            add($0)
        }
    }

    /// Accepts a share, so that its records appear in the shared database.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func accept(
        _ metadata: CKShare.Metadata, completionHandler: @escaping @Sendable (CKShare?, (any Error)?) -> Void
    ) {
        accept([metadata]) { result in
            let one = result.single(metadata)
            completionHandler(one.value, one.error)
        }
    }

    /// Accepts a share, so that its records appear in the shared database.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @discardableResult
    public func accept(_ metadata: CKShare.Metadata) async throws -> CKShare {
        let accepted = try await accept([metadata])
        return try (accepted[metadata] ?? .failure(CKError.noResult)).get()
    }

    /// Accepts shares, so that their records appear in the shared database.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func accept(
        _ metadatas: [CKShare.Metadata],
        completionHandler:
            @escaping @Sendable (Result<[CKShare.Metadata: Result<CKShare, any Error>], any Error>) -> Void
    ) {
        add(acceptOperation(metadatas, completionHandler))
    }

    /// Accepts shares, so that their records appear in the shared database.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    public func accept(
        _ metadatas: [CKShare.Metadata]
    ) async throws -> [CKShare.Metadata: Result<CKShare, any Error>] {
        try await awaitOperation {
            acceptOperation(metadatas, $0)
        } add: {
            add($0)
        }
    }

    private func metadataOperation(
        _ urls: [URL],
        _ completion:
            @escaping @Sendable (Result<[URL: Result<CKShare.Metadata, any Error>], any Error>) ->
            Void
    ) -> CKFetchShareMetadataOperation {
        let operation = CKFetchShareMetadataOperation(shareURLs: urls)
        let found = Locked<[URL: Result<CKShare.Metadata, any Error>]>([:])
        operation.use(configuration, group)
        operation.useIfUnset(.userInitiated)
        operation.perShareMetadataResultBlock = { url, result in found.withLock { $0[url] = result } }
        operation.fetchShareMetadataResultBlock = { completion($0.map { found.current }) }
        return operation
    }

    private func acceptOperation(
        _ metadatas: [CKShare.Metadata],
        _ completion:
            @escaping @Sendable (Result<[CKShare.Metadata: Result<CKShare, any Error>], any Error>) -> Void
    ) -> CKAcceptSharesOperation {
        let operation = CKAcceptSharesOperation(shareMetadatas: metadatas)
        let found = Locked<[CKShare.Metadata: Result<CKShare, any Error>]>([:])
        operation.use(configuration, group)
        operation.useIfUnset(.userInitiated)
        operation.perShareResultBlock = { metadata, result in found.withLock { $0[metadata] = result } }
        operation.acceptSharesResultBlock = { completion($0.map { found.current }) }
        return operation
    }
}

extension CloudClient {
    fileprivate func participant(_ info: CKUserIdentityLookupInfo) async throws -> CKShareParticipant {
        try await participants([info])[0].1.get()
    }

    fileprivate func participants<Key: Hashable & Sendable>(
        _ keys: [Key], _ info: (Key) -> CKUserIdentityLookupInfo
    ) async throws -> [Key: Result<CKShareParticipant, any Error>] {
        let found = try await participants(keys.map(info))
        return Dictionary(zip(keys, found.map(\.1)), uniquingKeysWith: { first, _ in first })
    }
}
