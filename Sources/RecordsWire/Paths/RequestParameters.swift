// Owns the parameters that requests carry behind the question mark.

/// What the query string of a request says (sheet 1.4). Parameters that we do not know are ignored.
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
        var values: [String: String] = [:]
        for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            guard let name = PercentEncoding.decode(Substring(pair[..<equals])) else { continue }
            let value = PercentEncoding.decode(Substring(pair[equals...].dropFirst())) ?? ""
            if let first = values[name] {
                if Self.credentials.contains(name), first != value { contradiction = name }
            } else {
                values[name] = value
            }
        }
        apiToken = values["ckAPIToken"].flatMap { $0.isEmpty ? nil : $0 }
        webAuthToken = (values["ckWebAuthToken"] ?? values["ckSession"]).flatMap { $0.isEmpty ? nil : $0 }
        clientID = values["clientId"].flatMap { $0.isEmpty ? nil : $0 }
        wantsSyncToken = values["getCurrentSyncToken"]?.lowercased() == "true"
    }

    private static let credentials: Set = ["ckAPIToken", "ckWebAuthToken", "ckSession"]

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
