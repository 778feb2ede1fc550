/// The sign-in page. It escapes all values that it inserts.
struct SignInPage: Sendable {
    /// The error message, which screen readers announce; nil if there is none.
    var problem: String?
    /// The form; nil on a page that only shows a message.
    var form: Form?
    /// The message to the app's window; nil until the person has signed in.
    var message: Message?
    /// Allows this page's own style and script in the content security policy.
    var nonce: String

    /// The values in a form.
    struct Form: Sendable {
        var container: String
        var environment: String
        /// The URL to which the form is sent, with the ticket of the page.
        var action: String
        var csrfToken: String
        var name: String
        var staysSignedIn: Bool
        var mayOmitPassword: Bool
        /// Whether the first field has the focus, as on a page without an error; otherwise the password has
        /// it.
        var beginsWithName: Bool
    }

    /// The message that is posted to the window that opened the page.
    struct Message: Sendable {
        var token: String
        var origin: String
    }

    /// The page as HTML.
    func html() throws -> String {
        var context: [String: any Sendable] = [
            "nonce": nonce, "title": problem == nil ? "Sign in" : "Error: sign in",
        ]
        if let problem { context["problem"] = problem }
        if let form { context["form"] = form }
        if let message { context["message"] = message }
        return try EscapedText.html(Self.template, context)
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
        <h1>Sign in</h1>
        {{#form}}<p>to <strong>{{container}}</strong> ({{environment}})</p>{{/form}}
        {{#problem}}<p class="problem" id="problem" role="alert">{{.}}</p>{{/problem}}
        {{#form}}
        <form method="post" action="{{action}}">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <label for="name">Name or e-mail address</label>
        <input id="name" name="name" value="{{name}}" autocomplete="username" autocapitalize="none"
          spellcheck="false" required aria-describedby="problem"
          {{#beginsWithName}}autofocus{{/beginsWithName}}>
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password"
          aria-describedby="problem"{{^mayOmitPassword}} required{{/mayOmitPassword}}
          {{^beginsWithName}}autofocus{{/beginsWithName}}>
        {{#mayOmitPassword}}<p class="hint">This server is open for development: a name without a password
        is enough.</p>{{/mayOmitPassword}}
        <p class="choice"><input id="keep" name="keep" type="checkbox" value="1"{{#staysSignedIn}}
          checked{{/staysSignedIn}}> <label for="keep">Keep me signed in</label></p>
        <button type="submit">Sign in</button>
        </form>
        {{/form}}
        {{#message}}
        <p id="done" role="status" data-token="{{token}}" data-origin="{{origin}}">You are signed in. You can
        close this window.</p>
        <script nonce="{{nonce}}">\(script)</script>
        {{/message}}
        </main>
        </body>
        </html>
        """

    /// The message has both keys, because clients differ in which one they read.
    private static let script = """
        const done = document.getElementById("done").dataset;
        if (window.opener) {
          window.opener.postMessage({ckWebAuthToken: done.token, ckSession: done.token}, done.origin);
          window.close();
        }
        """
}
