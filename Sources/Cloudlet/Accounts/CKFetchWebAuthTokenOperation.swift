import Foundation
internal import Records
internal import RecordsWire

/// Fetches a token with which a web page, in the app that owns the API token, acts as the person who is
/// signed in on this device.
///
/// Its quality of service is `.default` unless the app sets another. One of Apple's talks names `.utility`
/// instead; ``CKOperationConfiguration/qualityOfService`` says why it is not the default here.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckfetchwebauthtokenoperation>.
// Sendable because properties are set before the operation starts.
open class CKFetchWebAuthTokenOperation: CKDatabaseOperation, @unchecked Sendable {
    /// The API token of the web page's app.
    open var apiToken: String?
    /// Called with the token or the error, unless `fetchWebAuthTokenResultBlock` is set.
    open var fetchWebAuthTokenCompletionBlock: ((String?, (any Error)?) -> Void)?
    /// Called with the token or the error.
    public var fetchWebAuthTokenResultBlock: ((_ operationResult: Result<String, any Error>) -> Void)?

    /// Creates an operation without an API token: set `apiToken` before you add it.
    public override init() {
        super.init()
    }

    /// Creates an operation that fetches a token for the app with this API token.
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
