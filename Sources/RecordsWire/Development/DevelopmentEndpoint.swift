/// The endpoints for development. The query contains the credentials (`ckWebAuthToken`).
package enum DevelopmentEndpoint: String, Hashable, Sendable, CaseIterable {
    case signIn = "POST /dev/sign-in"
    case listFaults = "GET /dev/faults"
    case changeFaults = "POST /dev/faults"
    case explainAccess = "POST /dev/access"
    case removeZones = "POST /dev/zones"
    case describeAccount = "POST /dev/account"
    case setRate = "POST /dev/rate"
    case readTypes = "GET /dev/schema"
    case readStorage = "GET /dev/storage"
    case readPushTrace = "GET /dev/push-trace"

    /// The requirement of each endpoint. `signIn` checks itself whether the server is open, after it has read
    /// the name.
    var authority: ServerEndpoint.Authority {
        switch self {
        case .signIn: .none
        case .listFaults, .changeFaults: .faultyServer
        case .explainAccess, .removeZones, .describeAccount, .setRate, .readTypes, .readStorage,
            .readPushTrace:
            .openServer
        }
    }
}
