extension Template {
    /// The head and foot of every screen.
    static let frame = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="robots" content="noindex">
        <title>{{pageTitle}}</title>
        <link rel="stylesheet" href="/console/style.css">
        <link rel="icon" href="/console/icon.svg" type="image/svg+xml">
        </head>
        <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
        <p class="brand"><a href="/console">Cloudlet console</a></p>
        <nav aria-label="Server"><ul>
        {{#serverLinks}}<li><a href="{{href}}"{{#isCurrent}}
          aria-current="page"{{/isCurrent}}>{{label}}</a></li>
        {{/serverLinks}}
        </ul></nav>
        <form method="post" action="/console/sign-out" class="who">
        <input type="hidden" name="csrfToken" value="{{frameToken}}">
        <span><bdi id="who">{{who}}</bdi> <span class="role">{{whoRole}}</span></span>
        <button class="other" id="sign-out">Sign out</button>
        </form>
        </header>
        {{#containerName}}
        <div class="place">
        <p class="container"><bdi>{{containerName}}</bdi></p>
        <nav aria-label="Environment"><ul class="switch">
        {{#environments}}<li><a href="{{href}}"{{#isCurrent}}
          aria-current="true"{{/isCurrent}}>{{label}}</a></li>
        {{/environments}}
        </ul></nav>
        <nav aria-label="Container"><ul>
        {{#sections}}<li><a href="{{href}}"{{#isCurrent}} aria-current="page"{{/isCurrent}}>{{label}}</a></li>
        {{/sections}}
        </ul></nav>
        </div>
        {{/containerName}}
        <main id="main">
        <h1><bdi>{{pageHeading}}</bdi></h1>
        {{#notice}}<p class="notice" role="status">{{.}}</p>{{/notice}}
        {{#problem}}<p class="problem" id="problem" role="alert">{{.}}</p>{{/problem}}
        {{{content}}}
        </main>
        </body>
        </html>
        """
}
