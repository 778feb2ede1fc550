import Foundation

/// Finds people by e-mail address, phone number or user record.
///
/// Its quality of service is `.default` unless the app sets another. One of Apple's talks names `.utility`
/// instead; ``CKOperationConfiguration/qualityOfService`` says why it is not the default here.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckdiscoveruseridentitiesoperation>.
// Sendable because properties are set before the operation starts.
open class CKDiscoverUserIdentitiesOperation: CKOperation, @unchecked Sendable {
    /// The people to look up.
    open var userIdentityLookupInfos: [CKUserIdentity.LookupInfo] = []
    /// Called for each person who was found, with the lookup info that matched.
    open var userIdentityDiscoveredBlock: ((CKUserIdentity, CKUserIdentity.LookupInfo) -> Void)?
    /// Called once, when the operation ends, unless `discoverUserIdentitiesResultBlock` is set.
    open var discoverUserIdentitiesCompletionBlock: (((any Error)?) -> Void)?
    /// Called once, when the operation ends. It is a success even if nobody was found.
    public var discoverUserIdentitiesResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?

    /// Creates an operation without input: set what to look up before you add it to a container.
    public override init() {
        super.init()
    }

    /// Creates an operation that looks up these people.
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
