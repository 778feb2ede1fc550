import Foundation

/// Finds the people in the device's address book who use the app and have allowed others to discover them.
/// The app does not see the address book.
///
/// Its quality of service is `.default` unless the app sets another. One of Apple's talks names `.utility`
/// instead; ``CKOperationConfiguration/qualityOfService`` says why it is not the default here.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckdiscoveralluseridentitiesoperation>.
// Sendable because properties are set before the operation starts.
open class CKDiscoverAllUserIdentitiesOperation: CKOperation, @unchecked Sendable {
    /// Called once for each person who was found.
    open var userIdentityDiscoveredBlock: ((CKUserIdentity) -> Void)?
    /// Called once, when the operation ends, unless `discoverAllUserIdentitiesResultBlock` is set.
    open var discoverAllUserIdentitiesCompletionBlock: (((any Error)?) -> Void)?
    /// Called once, when the operation ends. It is a success even if nobody was found.
    public var discoverAllUserIdentitiesResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?

    /// Creates an operation that looks up the whole address book.
    public override init() {
        super.init()
    }

    override func perform() async {
        let result = await attempt { try await self.containerClient.discoverContacts() }
        await call {
            for identity in result.value ?? [] { self.userIdentityDiscoveredBlock?(identity) }
            if let block = self.discoverAllUserIdentitiesResultBlock {
                block(result.map { _ in })
            } else {
                self.discoverAllUserIdentitiesCompletionBlock?(result.error)
            }
        }
    }
}
