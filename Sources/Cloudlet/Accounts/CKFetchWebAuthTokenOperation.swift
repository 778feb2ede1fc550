import Foundation
internal import Records
internal import RecordsWire

/// Fetches a token with which a web page speaks for the person of this device, in the name of the app that
/// has the API token.
// Sendable because properties are set before the operation starts.
open class CKFetchWebAuthTokenOperation: CKDatabaseOperation, @unchecked Sendable {
    /// The API token of the page's app.
    open var apiToken: String?
    /// Hears the token, unless `fetchWebAuthTokenResultBlock` does.
    open var fetchWebAuthTokenCompletionBlock: ((String?, (any Error)?) -> Void)?
    /// Hears the token.
    public var fetchWebAuthTokenResultBlock: ((_ operationResult: Result<String, any Error>) -> Void)?

    /// An operation without an API token yet.
    public override init() {
        super.init()
    }

    /// Fetches a token for the app that has this API token.
    public convenience init(apiToken APIToken: String) {
        self.init()
        apiToken = APIToken
    }

    override func perform() async {
        let result = await attempt { () throws -> String in
            guard let apiToken = self.apiToken else {
                throw CKError.invalidArguments(
                    "An operation that fetches a web auth token needs an apiToken.")
            }
            return try await self.client.webAuthToken(for: apiToken)
        }
        await call {
            if let block = self.fetchWebAuthTokenResultBlock {
                block(result)
            } else {
                self.fetchWebAuthTokenCompletionBlock?(result.value, result.error)
            }
        }
    }
}

extension CloudClient {
    fileprivate func webAuthToken(for apiToken: String) async throws -> String {
        try checkSignedIn()
        let call = FetchWebToken(
            container: container, environment: CloudEnvironment(connection.environment), apiToken: apiToken)
        return try await connection.send(call, asPerson: true).webAuthToken
    }
}
