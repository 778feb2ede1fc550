import Foundation

extension CKContainer {
    /// Finds the people in the device's address book who use the app and have allowed others to discover
    /// them.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func discoverAllIdentities(
        completionHandler: @escaping @Sendable ([CKUserIdentity]?, (any Error)?) -> Void
    ) {
        perform({ try await $0.discoverContacts() }) { completionHandler($0.value, $0.error) }
    }

    /// Finds the people in the device's address book who use the app and have allowed others to discover
    /// them.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    public func allUserIdentitiesFromContacts() async throws -> [CKUserIdentity] {
        try await perform { try await $0.discoverContacts() }
    }

    /// Finds the person with this e-mail address; nil without an error if there is no match.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func discoverUserIdentity(
        withEmailAddress email: String,
        completionHandler: @escaping @Sendable (CKUserIdentity?, (any Error)?) -> Void
    ) {
        discover(CKUserIdentityLookupInfo(emailAddress: email), completionHandler)
    }

    /// Finds the person with this e-mail address; nil if there is no match.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    public func userIdentity(forEmailAddress email: String) async throws -> CKUserIdentity? {
        try await discover(CKUserIdentityLookupInfo(emailAddress: email))
    }

    /// Finds the person with this phone number; nil without an error if there is no match.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func discoverUserIdentity(
        withPhoneNumber phoneNumber: String,
        completionHandler: @escaping @Sendable (CKUserIdentity?, (any Error)?) -> Void
    ) {
        discover(CKUserIdentityLookupInfo(phoneNumber: phoneNumber), completionHandler)
    }

    /// Finds the person with this phone number; nil if there is no match.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    public func userIdentity(forPhoneNumber phoneNumber: String) async throws -> CKUserIdentity? {
        try await discover(CKUserIdentityLookupInfo(phoneNumber: phoneNumber))
    }

    /// Finds the person with this user record; nil without an error if there is no match.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func discoverUserIdentity(
        withUserRecordID userRecordID: CKRecord.ID,
        completionHandler: @escaping @Sendable (CKUserIdentity?, (any Error)?) -> Void
    ) {
        discover(CKUserIdentityLookupInfo(userRecordID: userRecordID), completionHandler)
    }

    /// Finds the person with this user record; nil if there is no match.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    public func userIdentity(forUserRecordID userRecordID: CKRecord.ID) async throws -> CKUserIdentity? {
        try await discover(CKUserIdentityLookupInfo(userRecordID: userRecordID))
    }

    /// Finds the people with these e-mail addresses. Addresses without a match are absent from the result.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func discoverUserIdentities(
        forEmailAddresses emails: [String],
        completionHandler: @escaping @Sendable (Result<[String: CKUserIdentity], any Error>) -> Void
    ) {
        perform({ try await $0.identities(emails) { CKUserIdentityLookupInfo(emailAddress: $0) } }) {
            completionHandler($0)
        }
    }

    /// Finds the people with these e-mail addresses. Addresses without a match are absent from the result.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    public func userIdentities(
        forEmailAddresses emails: [String]
    ) async throws -> [String: CKUserIdentity] {
        try await perform { try await $0.identities(emails) { CKUserIdentityLookupInfo(emailAddress: $0) } }
    }

    /// Finds the people with these phone numbers. Numbers without a match are absent from the result.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func discoverUserIdentities(
        forPhoneNumbers phoneNumbers: [String],
        completionHandler: @escaping @Sendable (Result<[String: CKUserIdentity], any Error>) -> Void
    ) {
        perform({ try await $0.identities(phoneNumbers) { CKUserIdentityLookupInfo(phoneNumber: $0) } }) {
            completionHandler($0)
        }
    }

    /// Finds the people with these phone numbers. Numbers without a match are absent from the result.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    public func userIdentities(
        forPhoneNumbers phoneNumbers: [String]
    ) async throws -> [String: CKUserIdentity] {
        try await perform {
            try await $0.identities(phoneNumbers) { CKUserIdentityLookupInfo(phoneNumber: $0) }
        }
    }

    /// Finds the people with these user records. Records without a match are absent from the result.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func discoverUserIdentities(
        forUserRecordIDs userRecordIDs: [CKRecord.ID],
        completionHandler: @escaping @Sendable (Result<[CKRecord.ID: CKUserIdentity], any Error>) -> Void
    ) {
        perform({ try await $0.identities(userRecordIDs) { CKUserIdentityLookupInfo(userRecordID: $0) } }) {
            completionHandler($0)
        }
    }

    /// Finds the people with these user records. Records without a match are absent from the result.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    public func userIdentities(
        forUserRecordIDs userRecordIDs: [CKRecord.ID]
    ) async throws -> [CKRecord.ID: CKUserIdentity] {
        try await perform {
            try await $0.identities(userRecordIDs) { CKUserIdentityLookupInfo(userRecordID: $0) }
        }
    }

    private func discover(
        _ info: CKUserIdentityLookupInfo,
        _ completionHandler: @escaping @Sendable (CKUserIdentity?, (any Error)?) -> Void
    ) {
        perform({ try await $0.discover([info])[0] }) { result in
            completionHandler(result.value ?? nil, result.error)
        }
    }

    private func discover(_ info: CKUserIdentityLookupInfo) async throws -> CKUserIdentity? {
        try await perform { try await $0.discover([info])[0] }
    }
}

extension CloudClient {
    fileprivate func identities<Key: Hashable & Sendable>(
        _ keys: [Key], _ info: (Key) -> CKUserIdentityLookupInfo
    ) async throws -> [Key: CKUserIdentity] {
        let found = try await discover(keys.map(info))
        var identities: [Key: CKUserIdentity] = [:]
        for (key, identity) in zip(keys, found) { identities[key] = identity }
        return identities
    }
}
