import Foundation

/// Finds people by address and by user record; `CKDiscoverUserIdentitiesOperation` today.
// Sendable because properties are set before the operation starts.
@available(*, deprecated, renamed: "CKDiscoverUserIdentitiesOperation")
open class CKDiscoverUserInfosOperation: CKOperation, @unchecked Sendable {
    /// The addresses to look for.
    open var emailAddresses: [String]?
    /// The user records to look for.
    open var userRecordIDs: [CKRecord.ID]?
    /// Hears who was found, by address and by user record, and of the end.
    open var discoverUserInfosCompletionBlock:
        (([String: CKDiscoveredUserInfo]?, [CKRecord.ID: CKDiscoveredUserInfo]?, (any Error)?) -> Void)?

    /// An operation with nobody to look for yet.
    public override init() {
        super.init()
    }

    /// Looks for these.
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

/// Finds everybody of the device's address book who uses the app and agreed to be found;
/// `CKDiscoverAllUserIdentitiesOperation` today.
// Sendable because properties are set before the operation starts.
@available(*, deprecated, renamed: "CKDiscoverAllUserIdentitiesOperation")
open class CKDiscoverAllContactsOperation: CKOperation, @unchecked Sendable {
    /// Hears who was found, and of the end.
    open var discoverAllContactsCompletionBlock: (([CKDiscoveredUserInfo]?, (any Error)?) -> Void)?

    /// An operation that looks through the whole address book.
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
