import CloudHTTP
import CloudService
import Hummingbird
import Records

/// Signs operators in and out.
struct SignInHandler: Sendable {
    let console: Console
    let request: PageRequest

    private var service: CloudService { console.service }

    /// The page for which the CSRF token of the sign-in form is valid. The browser has no session yet, so the
    /// token only proves that this server created the form; the origin of the request is checked, too.
    private static let page = "console/sign-in"

    func answer() async throws -> Response {
        if request.method == .post { return try await take() }
        if let token = try FormFields(request.query)["link"] {
            guard service.operators.isValid(link: token) else { throw Self.badLink }
            let view = MessageView(
                title: "Sign in", text: "This link signs you in as administrator, once.",
                link: MessageView.LinkForm(token: token))
            return console.page(view, .ok)
        }
        return form(problem: nil, name: "", .ok)
    }

    /// The page with the form for name and password.
    func form(problem: String?, name: String, _ status: HTTPResponse.Status) -> Response {
        let csrfToken = service.people.formTicket(browser: "", page: Self.page)
        let view = MessageView(
            title: "Sign in", problem: problem,
            text: "With a name and a password, or with the link that this command prints: cloudlet console",
            signIn: MessageView.SignInForm(csrfToken: csrfToken, name: name))
        return console.page(view, status)
    }

    private func take() async throws -> Response {
        try await request.withForm(upTo: 4096) { body in
            let form = try FormFields(String(decoding: body, as: UTF8.self))
            if let link = form["link"] { return signedIn(try service.operators.signIn(link: link)) }
            try service.people.checkForm(form["csrfToken"] ?? "", browser: "", page: Self.page)
            let name = form.text("name") ?? ""
            do {
                let attempt = SignInAttempt(
                    name: name, password: form["password"] ?? "", staysSignedIn: false,
                    address: request.clientKey, loggedAddress: request.loggedClient)
                return signedIn(try await service.operators.signIn(attempt))
            } catch let error as RecordError where error.code != .internalError {
                var response = self.form(
                    problem: Page.sentence(error), name: name,
                    error.code == .throttled ? .tooManyRequests : .forbidden)
                if let seconds = error.retryAfter { response.headers[.retryAfter] = String(seconds) }
                return response
            }
        }
    }

    private func signedIn(_ token: String) -> Response {
        var response = Page.redirect(to: Address.root)
        response.headers[.setCookie] = console.cookie(token, isSecure: request.isSecure)
        return response
    }

    /// Ends the session of the browser. The form must contain the CSRF token of that session.
    func signOut() async throws -> Response {
        guard request.method == .post, let token = request.cookie(Console.cookie),
            let visitor = try await service.operators.visitor(token)
        else { return Page.redirect(to: Address.path("sign-in")) }
        return try await request.withForm(upTo: 4096) { body in
            let form = try FormFields(String(decoding: body, as: UTF8.self))
            try service.people.checkForm(
                form["csrfToken"] ?? "", browser: visitor.session, page: Address.root)
            for person in service.operators.signOut(token) { try await service.sessions.end(of: person) }
            var response = Page.redirect(to: Address.path("sign-in"))
            response.headers[.setCookie] = console.cookie("", isSecure: request.isSecure)
            return response
        }
    }

    private static let badLink = RecordError(
        .accessDenied, "the link was used before, or is too old", culprit: "link",
        nextStep: "make another: cloudlet console")
}
