extension Template {
    /// The settings of a container.
    static let settings = """
        <h2>The app's web page</h2>
        <p>The page that a share's link opens leads on to this address, with the short GUID of the share at
        its
        end. Without one, it leads to that of the server{{#serverURL}}, which is
        <bdi>{{.}}</bdi>{{/serverURL}}{{^serverURL}}, which has none: then the page only says that the app
        shows
        the share{{/serverURL}}.</p>
        {{#mayChange}}
        <form method="post" action="{{action}}" class="form">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <label for="url">Address, such as https://app.example/open/; empty: that of the server</label>
        <input id="url" name="url" value="{{ownURL}}" inputmode="url" autocapitalize="none"
          spellcheck="false">
        <button name="action" value="set" id="set-url">Set</button>
        </form>
        {{/mayChange}}
        {{^mayChange}}<p>The address of this app: {{#knownURL}}<bdi>{{.}}</bdi>{{/knownURL}}
        {{^knownURL}}none{{/knownURL}}</p>{{/mayChange}}
        """
}
