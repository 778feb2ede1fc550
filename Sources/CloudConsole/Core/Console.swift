package import CloudHTTP
package import CloudService
import HTTPTypes
package import Hummingbird
import Records

/// The console: web pages on which operators see and change the data of the server, except private records.
///
/// All pages lie below `/console`. They work without scripts, and load nothing but the console's own style.
package struct Console: Sendable {
    /// Who has access to the console.
    package enum Access: Hashable, Sendable {
        /// Everybody who can reach the server is an administrator, without signing in. For servers that are
        /// open for development and that only this machine can reach.
        case open
        /// Operators sign in.
        case signIn
    }

    let service: CloudService
    let access: Access

    package init(_ service: CloudService, access: Access) {
        self.service = service
        self.access = access
    }

    /// Answers a request to a path below `/console`. Every error becomes a page.
    package func answer(_ request: PageRequest) async -> Response {
        do {
            let target = try ConsoleRoute(request.path, request.query)
            switch target {
            case .style: return Self.fixed(PageStyle.style, "text/css; charset=utf-8")
            case .icon: return Self.fixed(PageStyle.icon, "image/svg+xml")
            case .signIn: return try await SignInHandler(console: self, request: request).answer()
            case .signOut: return try await SignInHandler(console: self, request: request).signOut()
            case .screen(let screen, let place):
                return try await ScreenHandler(console: self, request: request, place: place).answer(screen)
            }
        } catch {
            request.report(error)
            return failure(error)
        }
    }

    /// A page that contains only an error, for a request without a session.
    func failure(_ error: any Error) -> Response {
        let view = MessageView(title: "Error", problem: Page.sentence(error))
        return page(view, Page.status(error))
    }

    func page(_ view: MessageView, _ status: HTTPResponse.Status) -> Response {
        guard let html = try? Page.html(Template.message, view) else {
            return Response(status: .internalServerError)
        }
        return Page.response(html, status, policy: Self.policy)
    }

    // MARK: Security

    /// The content security policy of pages: they load only the console's own style and images of this
    /// server, and send forms only to this server.
    static let policy =
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; "
        + "frame-ancestors 'none'"

    /// The content security policy of files that people have uploaded: they load and run nothing.
    static let filePolicy = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"

    /// A response that is the same for all requests, such as the style sheet.
    private static func fixed(_ text: String, _ contentType: String) -> Response {
        var response = Page.response(text, .ok, policy: policy)
        response.headers[.contentType] = contentType
        response.headers[.cacheControl] = "max-age=3600"
        return response
    }

    static let cookie = "cloudlet-console"

    /// The value of the header `Set-Cookie` that stores a session in the browser; an empty token deletes it.
    func cookie(_ token: String, isSecure: Bool) -> String {
        let seconds = token.isEmpty ? 0 : service.limits.operatorSessionSeconds
        return "\(Self.cookie)=\(token); Path=\(Address.root); Max-Age=\(seconds); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }
}

/// The values of a page with a message, and with a form for signing in if there is one.
struct MessageView: Sendable {
    var title: String
    var problem: String?
    var text: String?
    var signIn: SignInForm?
    var link: LinkForm?

    struct SignInForm: Sendable {
        var csrfToken: String
        var name: String
    }

    struct LinkForm: Sendable {
        var token: String
    }
}
