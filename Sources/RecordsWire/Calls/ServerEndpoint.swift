/// An endpoint of the server beyond the web services (`Endpoint`) and the URLs of files.
package enum ServerEndpoint: Hashable, Sendable {
    /// The limits, request rates and release of the server.
    case limits
    /// Whether the process answers requests.
    case live
    /// Whether the server accepts requests and can write its data.
    case ready
    /// The counts of requests for monitoring programs, in the text format of Prometheus.
    case metrics
    /// The operator's calls.
    case `operator`(OperatorEndpoint)
    /// Calls for development.
    case development(DevelopmentEndpoint)
    /// Connections on which devices receive pushes.
    case push(PushEndpoint)
    /// Sign-in.
    case signIn(SignInEndpoint)
    /// The page behind the link of a share.
    case share(ShareEndpoint)

    /// The requirement that the server checks before it reads a request's body.
    package enum Authority: Hashable, Sendable {
        /// No requirement; the call may check credentials itself.
        case none
        /// The operator's key as a bearer token.
        case operatorKey
        /// The server must be open: everyone may sign in by name and use every container.
        case openServer
        /// The server must allow fault injection.
        case faultyServer
    }

    /// The method and path, such as `POST /operator/1/people/:name/status`. A colon marks a parameter.
    package var text: String {
        switch self {
        case .limits: "GET /limits"
        case .live: "GET /live"
        case .ready: "GET /ready"
        case .metrics: "GET /metrics"
        case .operator(let endpoint): endpoint.rawValue
        case .development(let endpoint): endpoint.rawValue
        case .push(let endpoint): endpoint.rawValue
        case .signIn(let endpoint): endpoint.rawValue
        case .share(let endpoint): endpoint.rawValue
        }
    }

    package var authority: Authority {
        switch self {
        case .limits, .live, .ready, .push, .signIn, .share: .none
        case .operator, .metrics: .operatorKey
        case .development(let endpoint): endpoint.authority
        }
    }

    package var template: PathTemplate { PathTemplate(text) }
}

extension ServerEndpoint: CaseIterable {
    package static let allCases: [ServerEndpoint] =
        [.limits, .live, .ready, .metrics] + OperatorEndpoint.allCases.map { .operator($0) }
        + DevelopmentEndpoint.allCases.map { .development($0) } + PushEndpoint.allCases.map { .push($0) }
        + SignInEndpoint.allCases.map { .signIn($0) } + ShareEndpoint.allCases.map { .share($0) }
}

extension ServerEndpoint {
    /// The endpoint of a request, with the path's parameters still percent-encoded; nil if no endpoint
    /// matches. Empty path components are ignored.
    package static func find(
        _ method: String, _ path: String
    ) -> (endpoint: ServerEndpoint, parameters: [String: Substring])? {
        let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
        for (endpoint, template) in byPartCount[parts.count] ?? [] where template.method.rawValue == method {
            if let parameters = template.parameters(of: parts) { return (endpoint, parameters) }
        }
        return nil
    }

    private static let byPartCount = Dictionary(
        grouping: allCases.map { ($0, $0.template) }, by: { $0.1.parts.count })
}
