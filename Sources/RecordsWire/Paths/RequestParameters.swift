/// The parameters of a request's query string. Unknown parameters are ignored.
package struct RequestParameters: Hashable, Sendable {
    /// The API token, which identifies the app.
    package var apiToken: String?
    /// The web auth token, which identifies the person. Read from `ckWebAuthToken`, or from its older name
    /// `ckSession`.
    package var webAuthToken: String?
    /// The installation of the app, for pushes.
    package var clientID: String?
    /// Whether answers with records add the zone's current token.
    package var wantsSyncToken: Bool
    /// The name of a credential that the query contains twice with different values; nil if there is none.
    package private(set) var contradiction: String?

    package init(
        apiToken: String? = nil,
        webAuthToken: String? = nil,
        clientID: String? = nil,
        wantsSyncToken: Bool = false
    ) {
        self.apiToken = apiToken
        self.webAuthToken = webAuthToken
        self.clientID = clientID
        self.wantsSyncToken = wantsSyncToken
    }

    /// Parses a query string without its question mark. If a name occurs twice, the first counts.
    ///
    /// `+` stays a plus, because tokens contain it and some clients do not encode it.
    package init(query: String) {
        wantsSyncToken = false
        var (api, web, session, client, sync): (String?, String?, String?, String?, String?)
        for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            guard let name = PercentEncoding.decode(Substring(pair[..<equals])) else { continue }
            let text = Substring(pair[equals...].dropFirst())
            let decoded = PercentEncoding.decode(text)
            let value = decoded ?? ""
            // An undecodable credential must fail instead of being ignored.
            let credential = decoded ?? (text.utf8.allSatisfy { $0 < 0x80 } ? String(text) : "?")
            switch name {
            case "ckAPIToken": keepCredential(credential, as: &api, named: name)
            case "ckWebAuthToken": keepCredential(credential, as: &web, named: name)
            case "ckSession": keepCredential(credential, as: &session, named: name)
            case "clientId": client = client ?? value
            case "getCurrentSyncToken": sync = sync ?? value
            default: break
            }
        }
        apiToken = api.flatMap { $0.isEmpty ? nil : $0 }
        webAuthToken = (web ?? session).flatMap { $0.isEmpty ? nil : $0 }
        clientID = client.flatMap { $0.isEmpty ? nil : $0 }
        wantsSyncToken = sync?.lowercased() == "true"
    }

    private mutating func keepCredential(_ value: String, as first: inout String?, named name: String) {
        if let first, first != value { contradiction = name }
        first = first ?? value
    }

    /// The query string without its question mark; empty without parameters.
    package var text: String {
        var pairs: [String] = []
        if let clientID { pairs.append("clientId=" + PercentEncoding.encode(clientID)) }
        if let webAuthToken { pairs.append("ckWebAuthToken=" + PercentEncoding.encode(webAuthToken)) }
        if let apiToken { pairs.append("ckAPIToken=" + PercentEncoding.encode(apiToken)) }
        if wantsSyncToken { pairs.append("getCurrentSyncToken=true") }
        return pairs.joined(separator: "&")
    }
}
