import CloudService
import HTTPTypes
import Hummingbird
import NIOCore
import Records
import RecordsWire

/// Shows the sign-in page and receives its form. The page works without scripts, except that a script passes
/// the session to the window that opened it.
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
            return try page(try await look(), problem: nil, name: "", staysSignedIn: false, status: .ok)
        } catch {
            return told(error)
        }
    }

    /// The data of one request to the page.
    private struct Look: Sendable {
        var ticket: SignInTicket
        var text: String
        var target: SignInTarget
        /// The identifier of the browser, from its cookie; a new random one if it has none.
        var browser: String
        var isSecure: Bool
    }

    private func look() async throws -> Look {
        let text = try incoming.query("ctx") ?? ""
        let ticket = try service.people.signInTicket(text)
        let own = handler.origin(of: request)
        let target = try await service.people.signInTarget(of: ticket, own: own)
        let known = request.cookies[Self.cookie]?.value
        return Look(
            ticket: ticket, text: text, target: target,
            browser: known.flatMap { $0.utf8.count == 32 ? $0 : nil } ?? service.runtime.randomHex(bytes: 16),
            isSecure: own.hasPrefix("https://")
        )
    }

    private func page(
        _ look: Look, problem: String?, name: String, staysSignedIn: Bool, status: HTTPResponse.Status
    ) throws -> Response {
        let nonce = service.runtime.randomHex(bytes: 16)
        let page = SignInPage(
            problem: problem,
            form: SignInPage.Form(
                container: look.ticket.container, environment: look.ticket.environment.rawValue,
                action: SignInEndpoint.pagePath + "?ctx=" + look.text,
                proof: service.people.formTicket(browser: look.browser, page: look.text), name: name,
                staysSignedIn: staysSignedIn, mayOmitPassword: service.isOpen,
                beginsWithName: problem == nil
            ),
            nonce: nonce
        )
        var response = try Self.response(page, status, formGoesTo: look.target)
        response.headers[.setCookie] =
            "\(Self.cookie)=\(look.browser); Path=\(SignInEndpoint.pagePath);"
            + " Max-Age=\(service.limits.signInSeconds); HttpOnly; SameSite=Strict"
            + (look.isSecure ? "; Secure" : "")
        return response
    }

    // MARK: The form

    private struct Entry: Decodable {
        var proof: String?
        var name: String?
        var password: String?
        var keep: String?
    }

    /// Receives the form. Answers with another page, or redirects to the app.
    func take() async -> Response {
        do {
            let look = try await look()
            let body = try await handler.received(request, upTo: 16_384, from: incoming.payers)
            defer { withExtendedLifetime(body.lease) {} }
            let entry = try entry(in: body.bytes)
            try checkSite()
            try service.people.checkForm(
                entry.proof ?? "", browser: request.cookies[Self.cookie]?.value, page: look.text)
            return try await signIn(entry, look, handler.client(of: request, incoming.context))
        } catch {
            return told(error)
        }
    }

    private func signIn(
        _ entry: Entry, _ look: Look, _ client: NetworkAddress?
    ) async throws -> Response {
        let attempt = SignInAttempt(
            name: entry.name ?? "", password: entry.password ?? "", staysSignedIn: entry.keep == "1",
            address: client?.limitKey, loggedAddress: handler.requestLog.text(of: client)
        )
        do {
            let signIn = try await service.people.signIn(
                attempt, container: look.ticket.container, environment: look.ticket.environment)
            return try done(signIn.webAuthToken, look.target)
        } catch let error as RecordError where error.fault != .app && error.code != .internalError {
            var response = try page(
                look, problem: Self.sentence(error), name: attempt.name, staysSignedIn: attempt.staysSignedIn,
                status: error.code == .throttled ? .tooManyRequests : .forbidden
            )
            if let seconds = error.retryAfter { response.headers[.retryAfter] = String(seconds) }
            return response
        }
    }

    /// Passes the session token only to the target of the sign-in: to the app's window by a message, or to
    /// the app's URL by a redirect.
    private func done(_ token: String, _ target: SignInTarget) throws -> Response {
        switch target {
        case .message(let origin):
            let page = SignInPage(
                message: SignInPage.Message(token: token, origin: origin),
                nonce: service.runtime.randomHex(bytes: 16)
            )
            return try Self.response(page, .ok, formGoesTo: nil)
        case .redirect(let address):
            let value = PercentEncoding.encode(token)
            let parameters = "ckWebAuthToken=\(value)&ckSession=\(value)"
            var response = Response(status: .seeOther, headers: Self.headers)
            response.headers[.location] = address + (address.contains("?") ? "&" : "?") + parameters
            return response
        }
    }

    private func entry(in bytes: [UInt8]) throws -> Entry {
        let form = String(decoding: bytes, as: UTF8.self)
        // The decoder compares the keys, so too many combining marks are refused before.
        guard PercentEncoding.decode(form) != nil,
            let entry = try? URLEncodedFormDecoder().decode(Entry.self, from: form)
        else {
            throw RecordError(
                .badRequest, "the form cannot be read", culprit: "body", nextStep: "load the page again")
        }
        return entry
    }

    /// Throws if a page of another site has sent the form.
    private func checkSite() throws {
        let site = request.headers[.secFetchSite]
        let isOwn = site == nil || site == "same-origin" || site == "none"
        let origin = request.headers[.origin]
        let hasOrigin = origin == nil || origin == "null" || origin == handler.origin(of: request)
        if !isOwn || !hasOrigin { throw FormTicket.refusal }
    }

    // MARK: Answers

    /// A page with the error instead of a form.
    private func told(_ error: any Error) -> Response {
        let known = error as? RecordError
        let nonce = service.runtime.randomHex(bytes: 16)
        let problem = known.map(Self.sentence) ?? "The server failed. Try again later."
        let page = SignInPage(problem: problem, nonce: nonce)
        let status = known.map(RequestHandler.status) ?? .internalServerError
        let isAuthentication = status == .unauthorized || status.code == 421
        return (try? Self.response(page, isAuthentication ? .forbidden : status, formGoesTo: nil))
            ?? Response(status: .internalServerError)
    }

    private static func sentence(_ error: RecordError) -> String {
        var text = error.reason.prefix(1).uppercased() + error.reason.dropFirst() + "."
        if let next = error.nextStep { text += " " + next.prefix(1).uppercased() + next.dropFirst() + "." }
        if let seconds = error.retryAfter {
            text += seconds == 1 ? " 1 second is left." : " \(seconds) seconds are left."
        }
        return text
    }

    private static func response(
        _ page: SignInPage, _ status: HTTPResponse.Status, formGoesTo target: SignInTarget?
    ) throws -> Response {
        var headers = headers
        headers[.contentType] = "text/html; charset=utf-8"
        headers[.contentSecurityPolicy] = policy(nonce: page.nonce, target)
        return Response(
            status: status, headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: try page.html())))
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

    private static var headers: HTTPFields {
        var headers = HTTPFields()
        headers[.cacheControl] = "no-store"
        headers[.xContentTypeOptions] = "nosniff"
        headers[.frameOptions] = "DENY"
        headers[.referrerPolicy] = "same-origin"
        return headers
    }
}

extension HTTPField.Name {
    fileprivate static let frameOptions = known("X-Frame-Options")
    fileprivate static let referrerPolicy = known("Referrer-Policy")
    fileprivate static let secFetchSite = known("Sec-Fetch-Site")
}
