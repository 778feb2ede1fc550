import CloudService
import Foundation
import Records

/// The page to which the link of a share leads. It escapes all values that it inserts, but for the address of
/// the image, which has no characters to escape; and it has no scripts.
struct SharePage: Sendable {
    /// Allows this page's own style in the content security policy.
    var nonce: String
    /// The error message, which screen readers announce; nil if there is none.
    var problem: String?
    /// The container's name; nil on a page that only shows a message.
    var container: String?
    /// The summary of what is shared; nil for a visitor who may not see it.
    var summary: ShareSummary?
    /// The URL of the sign-in page; nil for a visitor who is signed in.
    var signInURL: String?
    /// The CSRF token of the page's forms; nil for a visitor who is not signed in.
    var csrfToken: String?
    /// The step of proving an invited address; nil if there is nothing to prove.
    var step: ProofStep?
    /// Whether a visitor without an invitation can ask for access, or has asked already.
    var request = AccessRequestState.unavailable
    /// The address of the app's web page; nil if there is none, or if the visitor has not accepted.
    var webPage: String?

    /// A step of proving an address.
    enum ProofStep: Sendable {
        /// The person enters the address.
        case address
        /// The person enters the code that was sent to the address, or that an open server shows.
        case code(String, shown: String?)
    }

    /// The page as HTML.
    func html() throws -> String {
        var values: [String: any Sendable] = [
            "nonce": nonce, "heading": summary?.title ?? "Shared with you",
            "title": problem == nil ? "Shared with you" : "Error: shared with you",
            "isSignedIn": csrfToken != nil,
        ]
        let texts = [
            ("problem", problem), ("container", container), ("signInURL", signInURL),
            ("csrfToken", csrfToken),
        ]
        for case (let name, let text?) in texts { values[name] = text }
        switch request {
        case .unavailable: break
        case .possible: values["mayAsk"] = true
        case .waiting: values["hasAsked"] = true
        }
        switch step {
        case nil: break
        case .address?: values["asksForAddress"] = true
        case .code(let address, let shown)?:
            values["codeAddress"] = address
            if let shown { values["shownCode"] = shown }
        }
        if let summary { Self.add(summary, webPage: webPage, to: &values) }
        return try EscapedText.html(Self.template, values)
    }

    private static func add(
        _ summary: ShareSummary, webPage: String?, to values: inout [String: any Sendable]
    ) {
        let participant = summary.participant
        let isOwner = participant?.role == .owner
        let takesPart = participant?.acceptance == .accepted
        let owner = summary.owner ?? "Somebody"
        values["relation"] = isOwner ? "You share this with others." : owner + " shares this with you."
        if let image = summary.thumbnail.flatMap({ imageURL($0) }) { values["image"] = image }
        switch summary.permission {
        case .readWrite where isOwner, .none: break
        case .readWrite: values["permission"] = "You can view and change it."
        case .readOnly: values["permission"] = "You can view it, but not change it."
        }
        values["mayAccept"] = participant != nil && !takesPart
        values["takesPart"] = takesPart && !isOwner
        if let webPage { values["webPage"] = webPage }
        values["hasNoWebPage"] = takesPart && webPage == nil
    }

    /// A thumbnail as a `data` URL; nil for a format that not all browsers show.
    private static func imageURL(_ bytes: [UInt8]) -> String? {
        let types: [(type: String, start: [UInt8])] = [
            ("png", [0x89, 0x50, 0x4E, 0x47]), ("jpeg", [0xFF, 0xD8, 0xFF]), ("gif", Array("GIF8".utf8)),
        ]
        let known = types.first { bytes.starts(with: $0.start) }
        return known.map { "data:image/\($0.type);base64," + Data(bytes).base64EncodedString() }
    }

    /// The content security policy: nothing is loaded except the page's own style and the image that it
    /// contains. The form may be sent to this server, and from there be redirected to the app's web page.
    func policy(formLeadsTo webPage: String?) -> String {
        let origin = webPage.flatMap { CallbackRules.origin(of: $0) }.map { " " + $0 } ?? ""
        return "default-src 'none'; style-src 'nonce-\(nonce)'; img-src data:; form-action 'self'\(origin);"
            + " base-uri 'none'; frame-ancestors 'none'"
    }

    private static let template = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="robots" content="noindex">
        <title>{{title}}</title>
        <style nonce="{{nonce}}">\(Page.style)</style>
        </head>
        <body>
        <main>
        <h1><bdi>{{heading}}</bdi></h1>
        {{#container}}<p>in <strong>{{.}}</strong></p>{{/container}}
        {{#problem}}<p class="problem" id="problem" role="alert">{{.}}</p>{{/problem}}
        {{#image}}<img src="{{{.}}}" alt="">{{/image}}
        {{#relation}}<p><bdi>{{.}}</bdi></p>{{/relation}}
        {{#permission}}<p>{{.}}</p>{{/permission}}
        {{#signInURL}}
        <p>Sign in to see what is shared with you, and to accept it.</p>
        <a class="button" id="sign-in" href="{{.}}">Sign in</a>
        {{/signInURL}}
        {{#mayAccept}}
        <form method="post">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <button id="accept" name="action" value="accept">Accept</button>
        </form>
        {{/mayAccept}}
        {{#takesPart}}<p id="done" role="status">You are a participant.</p>{{/takesPart}}
        {{#webPage}}<a class="button" id="open" href="{{.}}">Open</a>{{/webPage}}
        {{#hasNoWebPage}}<p>It appears in the app on your devices.</p>{{/hasNoWebPage}}
        {{#mayAsk}}
        <p>Only people whom the owner invites can see this. You can ask the owner for access; the owner sees
        your name.</p>
        <form method="post">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <button id="ask" name="action" value="ask">Ask for access</button>
        </form>
        {{/mayAsk}}
        {{#hasAsked}}
        <p id="asked" role="status">You have asked for access. The owner has not answered yet.</p>
        {{/hasAsked}}
        {{#asksForAddress}}
        <form method="post">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <label for="address">Invited e-mail address or phone number</label>
        <input id="address" name="address" autocomplete="email" autocapitalize="none" spellcheck="false"
          required aria-describedby="problem">
        <p class="hint">A code is sent to it. It proves that the address is yours.</p>
        <button id="send-code" name="action" value="code">Send a code</button>
        </form>
        {{/asksForAddress}}
        {{#codeAddress}}
        <p id="sent" role="status">If <strong>{{.}}</strong> is invited, it has received a code.</p>
        {{#shownCode}}<p class="hint">This server is open for development and shows the code:
        <strong id="shown">{{.}}</strong></p>{{/shownCode}}
        <form method="post">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <input type="hidden" name="address" value="{{.}}">
        <label for="code">Code</label>
        <input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required autofocus
          aria-describedby="problem">
        <button id="confirm" name="action" value="confirm">Confirm</button>
        </form>
        {{/codeAddress}}
        {{#isSignedIn}}
        <form method="post">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <button class="other" id="sign-out" name="action" value="sign-out">Sign in as somebody else</button>
        </form>
        {{/isSignedIn}}
        </main>
        </body>
        </html>
        """
}
