import CloudService
import HTTPTypes
import Hummingbird
import Records
import RecordsWire

/// Shows the sign-in page and handles its form. The page needs a script only to pass the session to the
/// window that opened it.
struct SignInPageHandler: Sendable {
    let incoming: ServerRequest

    private var handler: RequestHandler { incoming.handler }
    private var service: CloudService { incoming.service }
    private var request: Request { incoming.request }

    private static let cookie = "cloudlet-sign-in"

    // MARK: The page

    /// Answers a request for the page.
    func show() async -> Response {
        do {
            return try page(try await visit(), problem: nil, name: "", staysSignedIn: false, status: .ok)
        } catch {
            return errorPage(error)
        }
    }

    /// The data of one request to the page.
    private struct Visit: Sendable {
        var ticket: SignInTicket
        var ticketText: String
        var target: SignInTarget
        /// The identifier of the browser, from its cookie; a new random one if it has none.
        var browser: String
        var isSecure: Bool
    }

    private func visit() async throws -> Visit {
        try incoming.chargeVisitor()
        let text = try incoming.query("ctx") ?? ""
        let ticket = try service.people.signInTicket(text)
        let baseURL = handler.baseURL(of: request)
        let target = try await service.people.signInTarget(of: ticket, own: baseURL)
        let known = request.cookies[Self.cookie]?.value
        return Visit(
            ticket: ticket, ticketText: text, target: target,
            browser: known.flatMap { $0.utf8.count == 32 ? $0 : nil } ?? service.runtime.randomHex(bytes: 16),
            isSecure: baseURL.hasPrefix("https://")
        )
    }

    private func page(
        _ visit: Visit, problem: String?, name: String, staysSignedIn: Bool, status: HTTPResponse.Status
    ) throws -> Response {
        let nonce = service.runtime.randomHex(bytes: 16)
        let page = SignInPage(
            problem: problem,
            form: SignInPage.Form(
                container: visit.ticket.container, environment: visit.ticket.environment.rawValue,
                action: SignInEndpoint.pagePath + "?ctx=" + visit.ticketText,
                csrfToken: service.people.formTicket(browser: visit.browser, page: visit.ticketText),
                name: name, staysSignedIn: staysSignedIn, mayOmitPassword: service.isOpen,
                beginsWithName: problem == nil
            ),
            nonce: nonce
        )
        var response = try Self.response(page, status, formGoesTo: visit.target)
        response.headers[.setCookie] =
            "\(Self.cookie)=\(visit.browser); Path=\(SignInEndpoint.pagePath);"
            + " Max-Age=\(service.limits.signInSeconds); HttpOnly; SameSite=Strict"
            + (visit.isSecure ? "; Secure" : "")
        return response
    }

    // MARK: The form

    private struct Entry: Decodable {
        var csrfToken: String?
        var name: String?
        var password: String?
        var keep: String?
    }

    /// Receives the form. Answers with another page, or redirects to the app.
    func submit() async -> Response {
        do {
            let visit = try await visit()
            let body = try await handler.received(request, upTo: Page.formBytes, from: incoming.payers)
            defer { withExtendedLifetime(body.lease) {} }
            let entry = try Page.form(Entry.self, in: body.bytes)
            try incoming.checkSite()
            try service.people.checkForm(
                entry.csrfToken ?? "", browser: request.cookies[Self.cookie]?.value, page: visit.ticketText)
            return try await signIn(entry, visit, handler.client(of: request, incoming.context))
        } catch {
            return errorPage(error)
        }
    }

    private func signIn(
        _ entry: Entry, _ visit: Visit, _ client: NetworkAddress?
    ) async throws -> Response {
        let attempt = SignInAttempt(
            name: entry.name ?? "", password: entry.password ?? "", staysSignedIn: entry.keep == "1",
            address: client?.limitKey, loggedAddress: handler.requestLog.text(of: client)
        )
        do {
            let signIn = try await service.people.signIn(
                attempt, container: visit.ticket.container, environment: visit.ticket.environment)
            return try finishSignIn(signIn.webAuthToken, visit, staysSignedIn: attempt.staysSignedIn)
        } catch let error as RecordError where error.fault != .app && error.code != .internalError {
            var response = try page(
                visit, problem: Page.sentence(error), name: attempt.name,
                staysSignedIn: attempt.staysSignedIn,
                status: error.code == .throttled ? .tooManyRequests : .forbidden
            )
            if let seconds = error.retryAfter { response.headers[.retryAfter] = String(seconds) }
            return response
        }
    }

    /// Passes the session token only to the target of the sign-in: to the app's window by a message, or to
    /// the app's URL by a redirect. The page of a share keeps it in a cookie.
    private func finishSignIn(_ token: String, _ visit: Visit, staysSignedIn: Bool) throws -> Response {
        switch visit.target {
        case .message(let origin):
            let page = SignInPage(
                message: SignInPage.Message(token: token, origin: origin),
                nonce: service.runtime.randomHex(bytes: 16)
            )
            return try Self.response(page, .ok, formGoesTo: nil)
        case .redirect(let address):
            let value = PercentEncoding.encode(token)
            let parameters = "ckWebAuthToken=\(value)&ckSession=\(value)"
            return Page.redirect(to: address + (address.contains("?") ? "&" : "?") + parameters)
        case .share(let shortGUID):
            var response = Page.redirect(to: ShareEndpoint.path(of: shortGUID))
            response.headers[.setCookie] = SharePageHandler.cookie(
                token, seconds: staysSignedIn ? service.limits.longSessionSeconds : nil,
                isSecure: visit.isSecure)
            return response
        }
    }

    // MARK: Answers

    /// A page with the error instead of a form.
    private func errorPage(_ error: any Error) -> Response {
        let page = SignInPage(problem: Page.sentence(error), nonce: service.runtime.randomHex(bytes: 16))
        guard let html = try? page.html() else { return Response(status: .internalServerError) }
        return Page.response(html, for: error, policy: Self.policy(nonce: page.nonce, nil))
    }

    private static func response(
        _ page: SignInPage, _ status: HTTPResponse.Status, formGoesTo target: SignInTarget?
    ) throws -> Response {
        Page.response(try page.html(), status, policy: policy(nonce: page.nonce, target))
    }

    /// The content security policy: nothing is loaded except the page's own style and script. The form may be
    /// sent to this server, and from there be redirected to the app's URL.
    private static func policy(nonce: String, _ target: SignInTarget?) -> String {
        var form = "form-action 'self'"
        if case .redirect(let address)? = target, let scheme = address.firstIndex(of: ":") {
            form += " " + (CallbackRules.origin(of: address) ?? String(address[...scheme]))
        }
        return "default-src 'none'; style-src 'nonce-\(nonce)'; script-src 'nonce-\(nonce)'; \(form);"
            + " base-uri 'none'; frame-ancestors 'none'"
    }
}
