/// The page on which people sign in, and the calls of apps that show no page.
package enum SignInEndpoint: String, Hashable, Sendable, CaseIterable {
    /// Shows the page.
    case page = "GET /sign-in"
    /// Takes the form of the page.
    case form = "POST /sign-in"
    case token = "POST /sign-in/token"
    case webToken = "POST /sign-in/web-token"
    case end = "POST /sign-in/end"

    /// The path of the page.
    package static let pagePath = PathTemplate(page.rawValue).path([:])
}
