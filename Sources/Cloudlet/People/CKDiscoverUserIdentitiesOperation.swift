import Foundation

/// Finds people by address, number or user record.
// Sendable because properties are set before the operation starts.
open class CKDiscoverUserIdentitiesOperation: CKOperation, @unchecked Sendable {
    /// Whom to look for.
    open var userIdentityLookupInfos: [CKUserIdentity.LookupInfo] = []
    /// Hears of each person who was found, and by what.
    open var userIdentityDiscoveredBlock: ((CKUserIdentity, CKUserIdentity.LookupInfo) -> Void)?
    /// Hears of the end, unless `discoverUserIdentitiesResultBlock` does.
    open var discoverUserIdentitiesCompletionBlock: (((any Error)?) -> Void)?
    /// Hears of the end; a success even when nobody was found.
    public var discoverUserIdentitiesResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?

    /// An operation with nobody to look for yet.
    public override init() {
        super.init()
    }

    /// Looks for these.
    public convenience init(userIdentityLookupInfos: [CKUserIdentity.LookupInfo]) {
        self.init()
        self.userIdentityLookupInfos = userIdentityLookupInfos
    }

    override func perform() async {
        let infos = userIdentityLookupInfos
        let result = await attempt { try await self.containerClient.discover(infos) }
        await call {
            for case (let info, let identity?) in zip(infos, result.value ?? []) {
                self.userIdentityDiscoveredBlock?(identity, info)
            }
            if let block = self.discoverUserIdentitiesResultBlock {
                block(result.map { _ in })
            } else {
                self.discoverUserIdentitiesCompletionBlock?(result.error)
            }
        }
    }
}
