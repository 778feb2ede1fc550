extension Template {
    /// The sign-in page, and errors for somebody who is not signed in.
    static let message = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="robots" content="noindex">
        <title>{{title}} · Cloudlet console</title>
        <link rel="stylesheet" href="/console/style.css">
        <link rel="icon" href="/console/icon.svg" type="image/svg+xml">
        </head>
        <body>
        <main id="main" class="narrow">
        <h1>{{title}}</h1>
        {{#problem}}<p class="problem" id="problem" role="alert">{{.}}</p>{{/problem}}
        {{#text}}<p>{{.}}</p>{{/text}}
        {{#link}}
        <form method="post" action="/console/sign-in">
        <input type="hidden" name="link" value="{{token}}">
        <button id="use-link" autofocus>Sign in</button>
        </form>
        {{/link}}
        {{#signIn}}
        <form method="post" action="/console/sign-in">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <label for="name">Name</label>
        <input id="name" name="name" value="{{name}}" autocomplete="username" autocapitalize="none"
          spellcheck="false" required autofocus aria-describedby="problem">
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required
          aria-describedby="problem">
        <button id="sign-in">Sign in</button>
        </form>
        {{/signIn}}
        </main>
        </body>
        </html>
        """
}
