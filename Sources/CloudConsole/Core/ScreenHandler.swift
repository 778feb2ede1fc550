import CloudHTTP
import CloudService
import HTTPTypes
import Hummingbird
import Records

/// Answers a request to a screen: identifies the operator, checks the role and the form, and adds the header
/// and footer to the page. Every request to a screen passes through it.
struct ScreenHandler: Sendable {
    let console: Console
    let request: PageRequest
    let place: ConsolePlace?

    private var service: CloudService { console.service }

    func answer(_ type: any Screen.Type) async throws -> Response {
        var token = request.cookie(Console.cookie)
        var visitor: OperatorVisitor?
        if let known = token { visitor = try await service.operators.visitor(known) }
        var isNew = false
        if visitor == nil, console.access == .open, request.method != .post {
            let begun = try service.operators.signInOnOpenServer()
            (token, isNew) = (begun, true)
            visitor = try await service.operators.visitor(begun)
        }
        guard let token, let visitor else {
            let signIn = SignInHandler(console: console, request: request)
            return signIn.form(
                problem: request.method == .post ? "Your session has ended. Sign in again." : nil, name: "",
                .forbidden)
        }
        var response = try await answer(type, visitor, token)
        if isNew { response.headers[.setCookie] = console.cookie(token, isSecure: request.isSecure) }
        return response
    }

    private func answer(
        _ type: any Screen.Type, _ visitor: OperatorVisitor, _ token: String
    ) async throws -> Response {
        var screenRequest = ScreenRequest(
            service: service, operatorAccount: visitor.account, token: token,
            csrfToken: service.people.formTicket(browser: visitor.session, page: Address.root), place: place,
            query: try FormFields(request.query), clientKey: request.clientKey)
        let frame = PageFrame(request: screenRequest, screen: type, notice: visitor.notice)
        do {
            try await check(screenRequest, type)
        } catch let error as RecordError where error.code != .internalError {
            return try frame.response(problem: error)
        }
        let screen = type.init()
        guard request.method == .post else {
            return try await shown(screen, screenRequest, frame, problem: nil)
        }
        if let refusal = Self.refusal(of: type, screenRequest) {
            return try await shown(screen, screenRequest, frame, problem: refusal)
        }
        let most = min(service.limits.requestBytes, type.formBytes)
        return try await request.withForm(upTo: most) { body in
            let form = try await form(in: body, screenRequest)
            try service.people.checkForm(
                form["csrfToken"] ?? "", browser: visitor.session, page: Address.root)
            do {
                return try await act(form, screen, screenRequest, frame)
            } catch let error as RecordError where error.code != .internalError {
                screenRequest.refused = form
                return try await shown(screen, screenRequest, frame, problem: error)
            }
        }
    }

    /// Decodes a form; a long one on another thread, so that other requests need not wait.
    private func form(in body: [UInt8], _ screenRequest: ScreenRequest) async throws -> FormFields {
        let boundary = request.formBoundary
        return try await screenRequest.working(onBytes: body.count) {
            if let boundary { return try FormFields(MultipartForm(body, boundary: boundary)) }
            return try FormFields(String(decoding: body, as: UTF8.self))
        }
    }

    /// Throws `notFound` for a container that does not exist or in which the operator has no role, so that
    /// the two cannot be distinguished; `accessDenied` for a page that needs a higher role; and
    /// `limitExceeded` for a query that is too long.
    private func check(_ screenRequest: ScreenRequest, _ type: any Screen.Type) async throws {
        try Self.checkLength(of: screenRequest.query)
        if let place {
            guard screenRequest.role != nil else { throw Self.noContainer(place.container) }
            do {
                _ = try await service.containers.container(place.container)
            } catch let error as RecordError where error.code != .internalError {
                throw Self.noContainer(place.container)
            }
        }
        // Every operator may see the list of containers, which has only those in which the operator has a
        // role.
        let isList = type == ContainersScreen.self
        if !isList, !screenRequest.may(type.role) { throw Self.refusal(type.role, screenRequest) }
    }

    /// Throws `limitExceeded` for a query that is too long, because pages repeat it in their links and
    /// inputs. The parameter `marker` does not count, because the server creates it.
    private static func checkLength(of query: FormFields) throws(RecordError) {
        if query.byteCount - (query["marker"]?.utf8.count ?? 0) <= queryBytes { return }
        throw RecordError(
            .limitExceeded, "the address of a page has at most \(queryBytes) bytes of names and values",
            culprit: "query", nextStep: "fill in less, or use an app or the command line")
    }

    private static let queryBytes = 3000

    private func act(
        _ form: FormFields, _ screen: some Screen, _ screenRequest: ScreenRequest, _ frame: PageFrame
    ) async throws -> Response {
        let action = form["action"] ?? ""
        guard let needed = type(of: screen).actions[action] else {
            throw RecordError(
                .badRequest, "the form has an unknown action", culprit: "action",
                nextStep: "load the page again")
        }
        if !screenRequest.may(needed) { throw Self.refusal(needed, screenRequest) }
        switch try await audited(action, form, screen, screenRequest) {
        case .page(let content): return try frame.response(content)
        case .redirect(let address, let notice):
            service.operators.setNotice(notice, for: screenRequest.token)
            return Page.redirect(to: address)
        }
    }

    /// Performs the action of a form. The entry in the audit log is written before the change begins.
    private func audited(
        _ action: String, _ form: FormFields, _ screen: some Screen, _ screenRequest: ScreenRequest
    ) async throws -> Outcome {
        let kind = type(of: screen)
        if kind.unlogged.contains(action) { return try await screen.act(action, form, screenRequest) }
        let subjects = [screenRequest.query["name"]] + Self.subjects.map { form[$0] }
        let subject = subjects.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
        let entry = screenRequest.entry("\(kind.title): \(action)", subject)
        let isDeletion = kind.deletions.contains(action)
        return try await service.operators.change(entry, isDeletion: isDeletion) { change in
            var screenRequest = screenRequest
            screenRequest.change = change
            return try await screen.act(action, form, screenRequest)
        }
    }

    /// The inputs that name the object of a change, for the audit log. None of them contains a password or a
    /// value of a record.
    private static let subjects = ["name", "field", "role", "person", "id", "label"]

    private func shown(
        _ screen: some Screen, _ screenRequest: ScreenRequest, _ frame: PageFrame, problem: RecordError?
    ) async throws -> Response {
        do {
            return try frame.response(try await screen.page(screenRequest), problem: problem)
        } catch let error as RecordError where error.code != .internalError {
            return try frame.response(problem: problem ?? error)
        }
    }

    /// The error for an operator who may send none of the page's forms; nil for others. It is checked before
    /// the form is read.
    private static func refusal(of type: any Screen.Type, _ screenRequest: ScreenRequest) -> RecordError? {
        guard let least = type.actions.values.min(), !screenRequest.may(least) else { return nil }
        return refusal(least, screenRequest)
    }

    private static func noContainer(_ name: String) -> RecordError {
        RecordError(
            .notFound, "there is no such container, or you have no role in it", culprit: name,
            nextStep: "choose a container")
    }

    private static func refusal(_ needed: OperatorRole, _ screenRequest: ScreenRequest) -> RecordError {
        let held =
            screenRequest.role.map { "you are \($0.article)" } ?? "you have no role for the whole server"
        return RecordError(
            .accessDenied, "only \(needed.article) may do this, and \(held)", culprit: "role",
            nextStep: "ask an administrator of this server")
    }
}

extension OperatorRole {
    /// The role with an article.
    fileprivate var article: String {
        switch self {
        case .viewer: "a viewer"
        case .developer: "a developer"
        case .admin: "an admin"
        }
    }
}
