/// Every path of the server that is neither a call of the web services (`Endpoint`) nor a file's address.
package enum ServerEndpoint: Hashable, Sendable {
    /// The limits, request rates and release of the server.
    case limits
    /// What the operator does.
    case `operator`(OperatorEndpoint)
    /// What servers in development offer.
    case development(DevelopmentEndpoint)
    /// How devices take pushes.
    case push(PushEndpoint)
    /// How people sign in.
    case signIn(SignInEndpoint)

    /// What a request must show before its body is read.
    package enum Authority: Hashable, Sendable {
        /// Nothing, or credentials that the call itself looks at.
        case none
        /// The operator's key, as a bearer token.
        case operatorKey
        /// Nothing, but the server must be open to everybody.
        case openServer
        /// Nothing, but the server must take faults.
        case faultyServer
    }

    /// Method and path, such as `POST /operator/1/people/:name/status`; names behind colons are parameters.
    package var text: String {
        switch self {
        case .limits: "GET /limits"
        case .operator(let endpoint): endpoint.rawValue
        case .development(let endpoint): endpoint.rawValue
        case .push(let endpoint): endpoint.rawValue
        case .signIn(let endpoint): endpoint.rawValue
        }
    }

    package var authority: Authority {
        switch self {
        case .limits, .push, .signIn: .none
        case .operator: .operatorKey
        case .development(let endpoint): endpoint.authority
        }
    }

    package var template: PathTemplate { PathTemplate(text) }
}

extension ServerEndpoint: CaseIterable {
    package static let allCases: [ServerEndpoint] =
        [.limits] + OperatorEndpoint.allCases.map { .operator($0) }
        + DevelopmentEndpoint.allCases.map { .development($0) } + PushEndpoint.allCases.map { .push($0) }
        + SignInEndpoint.allCases.map { .signIn($0) }
}

extension ServerEndpoint {
    /// The endpoint of a request, with the parameters of its path as they stand there; nil for a path of
    /// something else. Empty parts of a path do not count.
    package static func find(
        _ method: String, _ path: String
    ) -> (endpoint: ServerEndpoint, parameters: [String: Substring])? {
        let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
        for (endpoint, template) in byCount[parts.count] ?? [] where template.method.rawValue == method {
            if let parameters = template.parameters(of: parts) { return (endpoint, parameters) }
        }
        return nil
    }

    private static let byCount = Dictionary(
        grouping: allCases.map { ($0, $0.template) }, by: { $0.1.parts.count })
}
