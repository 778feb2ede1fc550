import CloudService
package import HTTPTypes
package import Hummingbird
import NIOCore
import Records
import RecordsWire

/// The parts that all pages for people have in common: headers, forms, style, and errors as sentences.
package enum Page {
    // MARK: Answers

    /// An answer with a page and its content security policy.
    package static func response(_ html: String, _ status: HTTPResponse.Status, policy: String) -> Response {
        response(body: ResponseBody(byteBuffer: ByteBuffer(string: html)), status, policy: policy)
    }

    /// An answer with a page, written by `body`, and its content security policy.
    static func response(
        body: ResponseBody, _ status: HTTPResponse.Status, policy: String
    ) -> Response {
        var headers = headers
        headers[.contentType] = "text/html; charset=utf-8"
        headers[.contentSecurityPolicy] = policy
        return Response(status: status, headers: headers, body: body)
    }

    /// An answer with a file. The browser saves it under `name`; nil: a page shows it.
    package static func response(
        _ bytes: [UInt8], contentType: String, name: String?, policy: String
    ) -> Response {
        var headers = headers
        headers[.contentType] = contentType
        headers[.contentSecurityPolicy] = policy
        if let name { headers[.contentDisposition] = "attachment; filename=\"\(name)\"" }
        return Response(
            status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// An answer that redirects the browser to another address, which it loads with GET.
    package static func redirect(to address: String) -> Response {
        var response = Response(status: .seeOther, headers: headers)
        response.headers[.location] = address
        return response
    }

    private static var headers: HTTPFields {
        var headers = HTTPFields()
        headers[.cacheControl] = "no-store"
        headers[.xContentTypeOptions] = "nosniff"
        headers[.frameOptions] = "DENY"
        headers[.referrerPolicy] = "same-origin"
        return headers
    }

    // MARK: Errors

    /// An answer with the page of an error, and the seconds to wait as `Retry-After`.
    package static func response(_ html: String, for error: any Error, policy: String) -> Response {
        var response = response(html, status(error), policy: policy)
        if let seconds = (error as? RecordError)?.retryAfter {
            response.headers[.retryAfter] = String(seconds)
        }
        return response
    }

    /// The text of an error for people: the reason, the next step, and the time to wait.
    package static func sentence(_ error: any Error) -> String {
        guard let error = error as? RecordError else { return "The server failed. Try again later." }
        var text = error.reason.prefix(1).uppercased() + error.reason.dropFirst() + "."
        if let next = error.nextStep { text += " " + next.prefix(1).uppercased() + next.dropFirst() + "." }
        if let seconds = error.retryAfter {
            text += " Time to wait: \(seconds) \(seconds == 1 ? "second" : "seconds")."
        }
        return text
    }

    /// The status of a page with an error. Browsers would ask for a password at 401, and repeat the request
    /// at 421.
    package static func status(_ error: any Error) -> HTTPResponse.Status {
        guard let error = error as? RecordError else { return .internalServerError }
        let status = RequestHandler.status(of: error)
        return status == .unauthorized || status.code == 421 ? .forbidden : status
    }

    // MARK: Forms

    /// The maximum size of a page's form in bytes.
    static let formBytes = 16_384
    /// The maximum number of fields of a page's form. No page has more than six.
    static let formFields = 16

    /// Decodes a form. Throws `badRequest` if it is not valid, and `limitExceeded` for too many fields.
    static func form<Entry: Decodable>(_ type: Entry.Type, in bytes: [UInt8]) throws -> Entry {
        // The decoder takes milliseconds for thousands of fields.
        guard bytes.count(where: { $0 == UInt8(ascii: "&") }) < formFields else {
            throw RecordError(
                .limitExceeded, "the form of a page has at most \(formFields) fields", culprit: "body",
                nextStep: "load the page again")
        }
        let form = String(decoding: bytes, as: UTF8.self)
        // The decoder compares the keys, so too many combining marks must be refused before it runs.
        guard PercentEncoding.decode(form) != nil,
            let entry = try? URLEncodedFormDecoder().decode(Entry.self, from: form)
        else {
            throw RecordError(
                .badRequest, "the form cannot be read", culprit: "body", nextStep: "load the page again")
        }
        return entry
    }

    // MARK: Style

    static let style = """
        :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
        body { margin: 0; display: grid; place-items: center; min-height: 100vh; }
        main { width: min(22rem, 100vw - 3rem); padding: 1rem 0; }
        p { margin: .5rem 0; }
        h1 { font-size: 1.5rem; margin: 0; }
        strong { overflow-wrap: anywhere; }
        label { display: block; margin-top: .75rem; font-weight: 600; }
        input:not([type=checkbox]) { font: inherit; width: 100%; box-sizing: border-box; padding: .5rem;
          border: 1px solid #767676; border-radius: .375rem; background: Field; color: FieldText; }
        .choice { display: flex; margin: .75rem 0; gap: .5rem; align-items: center; }
        .choice label { margin: 0; font-weight: 400; }
        .choice input { width: 1.25rem; height: 1.25rem; }
        button, .button { font: inherit; font-weight: 600; width: 100%; padding: .625rem; border: 0;
          border-radius: .375rem; background: #0b57d0; color: #fff; cursor: pointer; }
        .button { display: block; box-sizing: border-box; margin-top: .75rem; text-align: center;
          text-decoration: none; }
        form { margin-top: .75rem; }
        button.other { background: none; color: inherit; border: 1px solid #767676; }
        img { display: block; max-width: 100%; max-height: 12rem; margin: .75rem 0; }
        :focus-visible { outline: 3px solid #f9ab00; outline-offset: 2px; }
        .problem { border-left: .25rem solid #b3261e; padding-left: .75rem; font-weight: 600; }
        .hint { margin: .25rem 0 0; font-size: .9375rem; }
        """

    // MARK: Templates

    /// Renders one of this package's templates with the properties of a view value. All inserted values are
    /// escaped, except those in three braces, which must be rendered HTML.
    package static func html(_ template: String, _ view: any Sendable) throws -> String {
        try EscapedText.html(template, view: view)
    }
}

extension ServerRequest {
    /// Throws if a page of another site has sent the form.
    func checkSite() throws { try handler.checkSite(of: request) }
}

extension RequestHandler {
    /// Throws if a page of another site has sent a request with a form.
    func checkSite(of request: Request) throws {
        let site = request.headers[.secFetchSite]
        let isOwnSite = site == nil || site == "same-origin" || site == "none"
        let origin = request.headers[.origin]
        let isOwnOrigin = origin == nil || origin == "null" || origin == baseURL(of: request)
        if !isOwnSite || !isOwnOrigin { throw FormTicket.refusal }
    }
}

extension HTTPField.Name {
    fileprivate static let frameOptions = known("X-Frame-Options")
    fileprivate static let referrerPolicy = known("Referrer-Policy")
    fileprivate static let secFetchSite = known("Sec-Fetch-Site")
}
