import Foundation

/// Finds people by e-mail address and by user record. `CKDiscoverUserIdentitiesOperation` replaces it.
///
/// Its quality of service is `.default` unless the app sets another. One of Apple's talks names `.utility`
/// instead; ``CKOperationConfiguration/qualityOfService`` says why it is not the default here.
// Sendable because properties are set before the operation starts.
@available(*, deprecated, renamed: "CKDiscoverUserIdentitiesOperation")
open class CKDiscoverUserInfosOperation: CKOperation, @unchecked Sendable {
    /// The e-mail addresses to look up.
    open var emailAddresses: [String]?
    /// The user records to look up.
    open var userRecordIDs: [CKRecord.ID]?
    /// Called once, when the operation ends, with the people found by e-mail address and by user record, or
    /// with the error.
    open var discoverUserInfosCompletionBlock:
        (([String: CKDiscoveredUserInfo]?, [CKRecord.ID: CKDiscoveredUserInfo]?, (any Error)?) -> Void)?

    /// Creates an operation without input: set what to look up before you add it to a container.
    public override init() {
        super.init()
    }

    /// Creates an operation that looks up these people.
    public convenience init(emailAddresses: [String]?, userRecordIDs: [CKRecord.ID]?) {
        self.init()
        self.emailAddresses = emailAddresses
        self.userRecordIDs = userRecordIDs
    }

    override func perform() async {
        let (emails, ids) = (emailAddresses ?? [], userRecordIDs ?? [])
        let infos =
            CKUserIdentityLookupInfo.lookupInfos(withEmails: emails)
            + CKUserIdentityLookupInfo.lookupInfos(with: ids)
        let result = await attempt { try await self.containerClient.discover(infos) }
        await call {
            var byEmail: [String: CKDiscoveredUserInfo] = [:]
            var byID: [CKRecord.ID: CKDiscoveredUserInfo] = [:]
            for case let identity? in result.value ?? [] {
                if let email = identity.lookupInfo?.emailAddress {
                    byEmail[email] = CKDiscoveredUserInfo(identity)
                } else if let id = identity.lookupInfo?.userRecordID {
                    byID[id] = CKDiscoveredUserInfo(identity)
                }
            }
            let failed = result.error != nil
            self.discoverUserInfosCompletionBlock?(
                failed ? nil : byEmail, failed ? nil : byID, result.error)
        }
    }
}

/// Finds the people in the device's address book who use the app and have allowed others to discover them.
/// `CKDiscoverAllUserIdentitiesOperation` replaces it.
///
/// Its quality of service is `.default` unless the app sets another. One of Apple's talks names `.utility`
/// instead; ``CKOperationConfiguration/qualityOfService`` says why it is not the default here.
// Sendable because properties are set before the operation starts.
@available(*, deprecated, renamed: "CKDiscoverAllUserIdentitiesOperation")
open class CKDiscoverAllContactsOperation: CKOperation, @unchecked Sendable {
    /// Called once, when the operation ends, with the people who were found or with the error.
    open var discoverAllContactsCompletionBlock: (([CKDiscoveredUserInfo]?, (any Error)?) -> Void)?

    /// Creates an operation that looks up the whole address book.
    public override init() {
        super.init()
    }

    override func perform() async {
        let result = await attempt { try await self.containerClient.discoverContacts() }
        await call {
            self.discoverAllContactsCompletionBlock?(
                result.value.map { $0.map { CKDiscoveredUserInfo($0) } }, result.error)
        }
    }
}
