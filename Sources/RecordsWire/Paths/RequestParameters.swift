/// What the query string of a request says. Parameters that we do not know are ignored.
package struct RequestParameters: Hashable, Sendable {
    /// Names the app that asks.
    package var apiToken: String?
    /// Names the person who asks. Read from `ckWebAuthToken`, or from `ckSession`, its older name.
    package var webAuthToken: String?
    /// Names the installation that asks, for pushes.
    package var clientID: String?
    /// Whether answers about records add the zone's present token.
    package var wantsSyncToken: Bool
    /// A credential that the query gives twice, with different values.
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

    /// Reads a query string without its question mark. The first of equal names counts.
    ///
    /// `+` stays a plus: tokens contain it, and clients that forget to encode it mean it.
    package init(query: String) {
        wantsSyncToken = false
        var (api, web, session, client, sync): (String?, String?, String?, String?, String?)
        for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            guard let name = PercentEncoding.decode(Substring(pair[..<equals])) else { continue }
            let text = Substring(pair[equals...].dropFirst())
            let decoded = PercentEncoding.decode(text)
            let value = decoded ?? ""
            // A credential that cannot be read is a wrong one, not none.
            let credential = decoded ?? String(text)
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

    /// The query string without its question mark; empty when there is nothing to say.
    package var text: String {
        var pairs: [String] = []
        if let clientID { pairs.append("clientId=" + PercentEncoding.encode(clientID)) }
        if let webAuthToken { pairs.append("ckWebAuthToken=" + PercentEncoding.encode(webAuthToken)) }
        if let apiToken { pairs.append("ckAPIToken=" + PercentEncoding.encode(apiToken)) }
        if wantsSyncToken { pairs.append("getCurrentSyncToken=true") }
        return pairs.joined(separator: "&")
    }
}
