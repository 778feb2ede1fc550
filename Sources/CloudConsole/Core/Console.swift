package import CloudHTTP
package import CloudService
import HTTPTypes
package import Hummingbird
import Records

/// The console: pages on which operators see and change what the server stores, except private records.
///
/// All pages lie below `/console`. They work without scripts, and load nothing but the console's own style.
package struct Console: Sendable {
    /// How operators get in.
    package enum Access: Hashable, Sendable {
        /// Whoever reaches the server is an administrator. For servers that are open for development and that
        /// only this machine can reach.
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
            case .style: return Self.fixed(Template.style, "text/css; charset=utf-8")
            case .icon: return Self.fixed(Template.icon, "image/svg+xml")
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

    /// A page with an error alone, for somebody who is not known.
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

    /// Nothing is loaded except the console's own style and images of this server. Forms go to this server
    /// only.
    static let policy =
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; "
        + "frame-ancestors 'none'"

    /// A file that people have uploaded loads nothing and runs nothing, whatever it is.
    static let filePolicy = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"

    /// A text that is the same for everybody.
    private static func fixed(_ text: String, _ contentType: String) -> Response {
        var response = Page.response(text, .ok, policy: policy)
        response.headers[.contentType] = contentType
        response.headers[.cacheControl] = "max-age=3600"
        return response
    }

    static let cookie = "cloudlet-console"

    /// The header that keeps a session in the browser; an empty token removes it.
    func cookie(_ token: String, isSecure: Bool) -> String {
        let seconds = token.isEmpty ? 0 : service.limits.operatorSessionSeconds
        return "\(Self.cookie)=\(token); Path=\(Address.root); Max-Age=\(seconds); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }
}

/// A page with a message, and for the sign-in its form.
struct MessageView: Sendable {
    var title: String
    var problem: String?
    var text: String?
    var signIn: SignInForm?
    var link: LinkForm?

    struct SignInForm: Sendable {
        var proof: String
        var name: String
    }

    struct LinkForm: Sendable {
        var token: String
    }
}
