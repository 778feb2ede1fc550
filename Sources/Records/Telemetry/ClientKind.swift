/// The kind of program that sent a request, according to the request itself.
package enum ClientKind: String, Hashable, Sendable, CaseIterable {
    /// An app with the client API of Cloudlet.
    case app
    /// A web page: the request has the header `Origin`.
    case browser
    /// An app's server, which signs its requests.
    case server
    /// The operator's command line.
    case `operator`
    /// The pages of the console.
    case console
    /// All others, such as scripts.
    case other
}
