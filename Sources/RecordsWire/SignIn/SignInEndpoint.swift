/// The sign-in page, and the calls of apps that sign in without it.
package enum SignInEndpoint: String, Hashable, Sendable, CaseIterable {
    /// Shows the page.
    case page = "GET /sign-in"
    /// Receives the form of the page.
    case form = "POST /sign-in"
    case token = "POST /sign-in/token"
    case webToken = "POST /sign-in/web-token"
    case end = "POST /sign-in/end"
    /// Requests a code that proves an address.
    case code = "POST /sign-in/code"
    /// Confirms an address with such a code.
    case confirm = "POST /sign-in/confirm"

    /// The path of the page.
    package static let pagePath = PathTemplate(page.rawValue).path([:])
}
