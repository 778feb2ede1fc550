import CloudService
import HTTPTypes
import Hummingbird
import NIOCore
import Records
import RecordsWire

/// Shows the page to which the link of a share leads, and handles its forms.
///
/// A visitor who is not signed in sees what is shared only if everybody with the link may accept it. All
/// short GUIDs without a share get the same answer.
struct SharePageHandler: Sendable {
    let incoming: ServerRequest

    private var handler: RequestHandler { incoming.handler }
    private var service: CloudService { incoming.service }
    private var request: Request { incoming.request }

    // MARK: The session

    private static let cookieName = "cloudlet-share"

    /// The header that keeps a session token for the pages of shares; an empty token removes it.
    ///
    /// - Parameter seconds: the lifetime in the browser; nil: until the browser is closed.
    static func cookie(_ token: String, seconds: Int?, isSecure: Bool) -> String {
        var text = "\(cookieName)=\(PercentEncoding.encode(token)); Path=\(ShareEndpoint.folder)"
        if let seconds { text += "; Max-Age=\(seconds)" }
        // Lax, because people follow the link from pages and messages elsewhere.
        text += "; HttpOnly; SameSite=Lax"
        if isSecure { text += "; Secure" }
        return text
    }

    // MARK: The page

    /// Answers a request for the page.
    func show() async -> Response {
        do {
            return try await page(of: try await visit(), problem: nil)
        } catch {
            return errorPage(error)
        }
    }

    /// The data of one request to the page.
    private struct Visit: Sendable {
        var shortGUID: String
        var place: ShareLocation
        var caller: Caller
        /// The session token of the cookie; nil without one.
        var token: String?
        var isSecure: Bool

        /// The path of the page. The CSRF token of a form is valid for this path and the session.
        var path: String { ShareEndpoint.path(of: shortGUID) }

        /// The session as text; nil for a visitor who is not signed in.
        var session: String? {
            caller.userRecordName == nil ? nil : caller.session?.hash.hexadecimal
        }
    }

    private func visit() async throws -> Visit {
        let shortGUID = try incoming.parameter("guid")
        try incoming.chargeVisitor()
        let place = try await service.shares.location(of: shortGUID)
        let token = request.cookies[Self.cookieName].flatMap { PercentEncoding.decode($0.value) }
        var caller = try await service.people.visitor(token, at: place)
        caller.network = incoming.payers.network
        return Visit(
            shortGUID: shortGUID, place: place, caller: caller, token: token,
            isSecure: handler.baseURL(of: request).hasPrefix("https://"))
    }

    /// The page as the visitor may see it. It shows `problem`, or else the error because of which the visitor
    /// cannot accept the share.
    ///
    /// Throws `tryAgainLater` if too much is being sent.
    private func page(
        of visit: Visit, problem: (any Error)?, step: SharePage.ProofStep? = nil
    ) async throws -> Response {
        let payers = Self.payers(of: visit)
        if payers.isCounted { try service.traffic.sending.checkRoom(for: payers.forAnswer) }
        let lease = lease(for: visit)
        var page = SharePage(nonce: service.runtime.randomHex(bytes: 16), container: visit.place.container)
        var problem = problem
        let webPage = try await service.shares.webPage(of: visit.shortGUID, in: visit.place.container)
        if let session = visit.session {
            page.csrfToken = service.people.formTicket(browser: session, page: visit.path)
            do {
                let found = try await service.shares.resolve(
                    visit.shortGUID, wantsRoot: false, by: visit.caller, reserve: Self.reservation(lease))
                page.summary = try await service.shares.summary(of: found, by: visit.caller)
                if found.participant.acceptance == .accepted { page.webPage = webPage }
            } catch let error as RecordError
                where error.code == .participantMayNeedVerification && service.addresses.isAvailable
            {
                page.step = step ?? .address
                page.request = try await service.shares.requestState(of: visit.shortGUID, by: visit.caller)
                if step == nil, problem == nil { problem = Self.noAddress }
            } catch let error as RecordError
                where error.code == .accessDenied || error.code == .participantMayNeedVerification
            {
                page.request = try await service.shares.requestState(of: visit.shortGUID, by: visit.caller)
                if problem == nil, page.request == .unavailable { problem = error }
            }
        } else {
            if problem == nil { problem = visit.caller.obstacle }
            page.summary = try await service.shares.preview(
                of: visit.shortGUID, by: visit.caller, reserve: Self.reservation(lease))
            page.signInURL =
                SignInEndpoint.pagePath + "?ctx="
                + service.people.signInTicket(toShare: visit.shortGUID, at: visit.place)
        }
        page.problem = problem.map { Page.sentence($0) }
        return try await response(
            page, problem.map { Page.status($0) } ?? .ok, policy: page.policy(formLeadsTo: webPage), lease,
            for: visit.caller)
    }

    private static func payers(of visit: Visit) -> Payers { Payers(visit.caller.network, visit.caller) }

    /// An empty lease for the memory of a page; nil if it is not counted.
    private func lease(for visit: Visit) -> ByteLease? {
        let payers = Self.payers(of: visit)
        return payers.isCounted ? service.traffic.sending.lease(for: payers.all) : nil
    }

    /// Reserves memory for a share's fields that may contain a large image, and for `pageCopies` of them.
    private static func reservation(_ lease: ByteLease?) -> @Sendable (Int) throws(RecordError) -> Void {
        return { bytes throws(RecordError) in
            if bytes >= Self.largeImage { try lease?.resize(to: Self.pageCopies * bytes) }
        }
    }

    /// The response with a page. A page with a large image is made on a thread for large answers, it is
    /// written only as fast as the browser reads it, and its memory is counted until then.
    ///
    /// - Parameter lease: holds the memory for the fields of the share, which are no longer needed.
    private func response(
        _ page: SharePage, _ status: HTTPResponse.Status, policy: String, _ lease: ByteLease?,
        for caller: Caller
    ) async throws -> Response {
        let imageBytes = page.summary?.thumbnail?.count ?? 0
        if imageBytes < Self.largeImage { return Page.response(try page.html(), status, policy: policy) }
        try lease?.resize(to: Self.pageCopies * imageBytes)
        let html = try await service.slowWork.computing(for: caller.workPayer) {
            ByteBuffer(string: try page.html())
        }
        try lease?.resize(to: html.readableBytes)
        let body = RequestHandler.pieces(of: .buffer(html), lease, over: incoming.context)
        return Page.response(body: body, status, policy: policy)
    }

    /// The bytes of an image from which it counts as large.
    private static let largeImage = 16_384
    /// How many times the bytes of an image are in memory: the image, and its text in the values of the page
    /// and in the page itself.
    private static let pageCopies = 4

    // MARK: The forms

    private struct Entry: Decodable {
        var csrfToken: String?
        var action: String?
        var address: String?
        var code: String?
    }

    /// Receives a form. Redirects to the app's web page or back to this page, or answers with this page and
    /// an error.
    func submit() async -> Response {
        do {
            let visit = try await visit()
            let body = try await handler.received(request, upTo: Page.formBytes, from: incoming.payers)
            defer { withExtendedLifetime(body.lease) {} }
            let entry = try Page.form(Entry.self, in: body.bytes)
            try incoming.checkSite()
            // The session has ended meanwhile, so the page asks the visitor to sign in again.
            guard let session = visit.session else { return Page.redirect(to: visit.path) }
            try service.people.checkForm(entry.csrfToken ?? "", browser: session, page: visit.path)
            do {
                return try await perform(entry, visit)
            } catch let error as RecordError where error.code != .internalError {
                let address = entry.action == "confirm" ? try? Self.contactAddress(entry.address) : nil
                let step = address.map { SharePage.ProofStep.code($0.value, shown: nil) }
                return try await page(of: visit, problem: error, step: step)
            }
        } catch {
            return errorPage(error)
        }
    }

    private func perform(_ entry: Entry, _ visit: Visit) async throws -> Response {
        switch entry.action {
        case "accept":
            _ = try await service.shares.accept(
                visit.shortGUID, wantsRoot: false, by: visit.caller,
                reserve: Self.reservation(lease(for: visit)))
            let webPage = try await service.shares.webPage(of: visit.shortGUID, in: visit.place.container)
            return Page.redirect(to: webPage ?? visit.path)
        case "ask":
            try await service.shares.request(visit.shortGUID, by: visit.caller)
            return Page.redirect(to: visit.path)
        case "code":
            let address = try Self.contactAddress(entry.address)
            let shown = try await service.addresses.requestCode(
                for: address, toJoin: visit.shortGUID, by: visit.caller)
            return try await page(of: visit, problem: nil, step: .code(address.value, shown: shown))
        case "confirm":
            let address = try Self.contactAddress(entry.address)
            try await service.addresses.confirm(address, with: entry.code ?? "", by: visit.caller)
            return Page.redirect(to: visit.path)
        case "sign-out":
            if let token = visit.token { try await service.sessions.end(of: token) }
            var response = Page.redirect(to: visit.path)
            response.headers[.setCookie] = Self.cookie("", seconds: 0, isSecure: visit.isSecure)
            return response
        default:
            throw RecordError(
                .badRequest, "the form has an unknown action", culprit: "action",
                nextStep: "load the page again")
        }
    }

    /// The address in the form. Throws `badRequest` for an invalid one.
    private static func contactAddress(_ text: String?) throws(RecordError) -> ContactAddress {
        let text = text ?? ""
        return text.contains("@") ? try ContactAddress(email: text) : try ContactAddress(phone: text)
    }

    private static let noAddress = RecordError(
        .participantMayNeedVerification,
        "you are not invited to this share, or your invitation names an address that your account "
            + "does not have",
        culprit: "address",
        nextStep: "prove that an invited address is yours, or sign in as somebody else")

    /// A page with the error alone.
    private func errorPage(_ error: any Error) -> Response {
        let page = SharePage(
            nonce: service.runtime.randomHex(bytes: 16), problem: Page.sentence(error))
        guard let html = try? page.html() else { return Response(status: .internalServerError) }
        return Page.response(html, for: error, policy: page.policy(formLeadsTo: nil))
    }
}
