import Foundation

/// Finds everybody of the device's address book who uses the app and agreed to be found. The
/// app does not see the address book.
// Sendable because properties are set before the operation starts.
open class CKDiscoverAllUserIdentitiesOperation: CKOperation, @unchecked Sendable {
    /// Hears of each person who was found.
    open var userIdentityDiscoveredBlock: ((CKUserIdentity) -> Void)?
    /// Hears of the end, unless `discoverAllUserIdentitiesResultBlock` does.
    open var discoverAllUserIdentitiesCompletionBlock: (((any Error)?) -> Void)?
    /// Hears of the end; a success even when nobody was found.
    public var discoverAllUserIdentitiesResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?

    /// An operation that looks through the whole address book.
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
