import Foundation
internal import Records
internal import RecordsWire

/// Sends the requests of the CloudKit web services protocol over a connection. It merges nothing, caches no
/// records, and retries only the requests that Apple's framework retries.
struct CloudClient: Sendable {
    var connection: CloudConnection
    var container: String
    var database: DatabaseKind
    var policy = RequestPolicy()
    /// Stores the responses of a long-lived operation, so that another process can continue it.
    var recorder: AnswerRecorder?
    /// Returns whether to download an asset of a fetched record.
    var wantsFile: @Sendable (Asset) -> Bool = { _ in true }
    /// Whether pages of changes have `PlainRecord`s for the records for which that is possible.
    var prefersPlainRecords = false

    var limits: Limits { connection.knownLimits }

    var uploads: AssetUploads { AssetUploads(client: self) }
    var downloads: AssetDownloads { AssetDownloads(client: self) }
    var changes: ChangesClient { ChangesClient(client: self) }
    var subscriptions: SubscriptionsClient { SubscriptionsClient(client: self) }
    var pushes: PushClient { PushClient(client: self) }
    var shares: SharesClient { SharesClient(client: self) }
    var zoneKeys: ZoneKeysClient { ZoneKeysClient(client: self) }

    var context: WireContext { context(isShared: database == .shared) }

    /// The context for values of the shared database, or for those of the other databases.
    func context(isShared: Bool) -> WireContext {
        WireContext(
            isShared: isShared, isSignedIn: connection.isSignedIn,
            cipher: FieldCipher(
                key: connection.encryptionKey, container: container,
                zoneKeys: isShared ? connection.zoneKeys : nil))
    }

    /// Sends a request body and returns the body of the response.
    ///
    /// - Parameters:
    ///   - changes: Whether the request changes data; see `exchange`.
    ///   - mayRepeat: Whether a change may be sent again after its response was lost; see `exchange`.
    ///   - onRepeat: Called when an earlier attempt may have been executed; see `exchange`.
    /// - Throws: `CKError` for the request as a whole.
    func call(
        _ endpoint: Endpoint, _ body: some WireRequest, changes: Bool = false, mayRepeat: Bool = false,
        onRepeat: (@Sendable () -> Void)? = nil
    ) async throws -> [UInt8] {
        try await call(
            endpoint, bytes: body.encoded(), changes: changes, mayRepeat: mayRepeat, onRepeat: onRepeat)
    }

    /// Sends a request body and decodes the response with `items`. Throws `CKError.internalError` if the
    /// number of items is not `count`.
    func answers<Item>(
        _ endpoint: Endpoint, _ body: some WireRequest, count: Int, _ things: String, changes: Bool,
        items: ([UInt8]) throws -> [Item]
    ) async throws -> [Item] {
        let answers: [Item]
        do {
            answers = try items(try await call(endpoint, body, changes: changes))
        } catch {
            throw CKError(failure: error)
        }
        if answers.count == count { return answers }
        throw CKError.incompleteAnswer(answers.count, of: count, things)
    }

    /// Sends a GET request without a body.
    func call(_ endpoint: Endpoint) async throws -> [UInt8] {
        try await call(endpoint, bytes: nil, changes: false, mayRepeat: false, onRepeat: nil)
    }

    private func call(
        _ endpoint: Endpoint, bytes: [UInt8]?, changes: Bool, mayRepeat: Bool,
        onRepeat: (@Sendable () -> Void)?
    ) async throws -> [UInt8] {
        let session = try connection.sessionToSend()
        try checkGate()
        var request = CloudRequest(bytes == nil ? .get : .post, target(endpoint, session), body: .none)
        request.headers[detailsHeader] = "1"
        if let bytes {
            guard bytes.count <= limits.requestBytes else {
                throw CKError.requestTooLarge(bytes: bytes.count, limit: limits.requestBytes)
            }
            request.headers["Content-Type"] = "application/json; charset=utf-8"
            request.body = .bytes(bytes)
        }
        let response: CloudResponse
        do {
            response = try await exchange(
                request, changes: changes, mayRepeat: mayRepeat, onRepeat: onRepeat)
        } catch {
            throw CKError(failure: error, mayHaveActed: changes)
        }
        guard response.status == 200 else {
            let error = RecordError(status: response.status, body: response.bytes)
            closeGate(after: error)
            if let session { learn(from: response, CKAccountStatus(error.code), of: session) }
            throw CKError(error, isSignedIn: context.isSignedIn)
        }
        if let session {
            let needsPerson = database != .public || endpoint == .usersCaller
            learn(from: response, needsPerson ? .available : nil, of: session)
        }
        return response.bytes
    }

    /// Stores a renewed session token from a response, and the account status that the response implies.
    private func learn(
        from response: CloudResponse, _ status: CKAccountStatus?, of session: CloudAccount.Session
    ) {
        if let token = response.headers["X-Apple-CloudKit-Web-Auth-Token"] {
            connection.keep(token, of: session)
        }
        if let status { connection.record(status, of: session) }
    }

    private func target(_ endpoint: Endpoint, _ session: CloudAccount.Session?) -> String {
        let path = RequestPath(
            container: container,
            environment: connection.environment == .production ? .production : .development,
            database: endpoint.home(of: database),
            endpoint: endpoint
        )
        let parameters = RequestParameters(
            apiToken: connection.serverKey == nil ? connection.apiToken : nil,
            webAuthToken: session?.latest,
            clientID: connection.deviceName
        )
        let query = parameters.text
        return query.isEmpty ? path.text : path.text + "?" + query
    }

    /// The user record ID of the signed-in person. Throws `notAuthenticated` when nobody is signed in.
    func userRecordID() async throws -> CKRecordID {
        try checkSignedIn()
        let identity = try UserIdentity(bytes: try await call(.usersCaller))
        return context.userRecordID(identity.userRecordName)
    }

    /// Throws `notAuthenticated` when nobody is signed in, without asking the server.
    func checkSignedIn() throws(CKError) {
        if !context.isSignedIn { throw CKError.nobodySignedIn }
    }
}

extension CKError {
    /// The error of a request that needs a person.
    package static var nobodySignedIn: CKError {
        let text = "Nobody is signed in - sign in, or give the connection a webAuthToken"
        return make(.notAuthenticated, text, userInfo: [signInKey: text])
    }
}

extension Sequence {
    /// The elements grouped by a key, groups in the order of their first elements.
    func grouped<Key: Hashable>(by key: (Element) -> Key) -> [(key: Key, elements: [Element])] {
        var groups: [(key: Key, elements: [Element])] = []
        var places: [Key: Int] = [:]
        for element in self {
            let group = key(element)
            if let place = places[group] {
                groups[place].elements.append(element)
            } else {
                places[group] = groups.count
                groups.append((group, [element]))
            }
        }
        return groups
    }
}
