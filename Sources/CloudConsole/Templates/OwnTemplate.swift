extension OwnTemplate {
    /// The person's own private and shared database.
    static let own = """
        <p>Private data is for the person alone to whom it belongs. Sign in as yourself to see yours; nobody
        sees anybody else's here.</p>
        {{^person}}
        <form method="post" action="{{action}}" class="form">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <label for="name">Name or e-mail address</label>
        <input id="name" name="name" value="{{typedName}}" required autocapitalize="none" spellcheck="false">
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password"
          {{^mayOmitPassword}}required{{/mayOmitPassword}}>
        <button name="action" value="sign-in" id="own-sign-in">Sign in</button>
        </form>
        {{/person}}
        {{#person}}
        <p>You are <strong>{{.}}</strong>.</p>
        <form method="post" action="{{action}}">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <button class="other" name="action" value="sign-out">Sign out as this person</button>
        </form>
        <nav aria-label="Database"><ul class="switch">
        {{#databases}}<li><a href="{{href}}"{{#isCurrent}}
          aria-current="true"{{/isCurrent}}>{{label}}</a></li>{{/databases}}
        </ul></nav>
        <h2>Zones</h2>
        <ul id="zones">{{#zones}}<li><a href="{{href}}"{{#isCurrent}}
          aria-current="true"{{/isCurrent}}><bdi>{{label}}</bdi></a></li>{{/zones}}
        {{^zones}}<li>Nobody shares a zone with you.</li>{{/zones}}</ul>
        <p><a href="{{zonesHref}}">Change tokens and sizes</a></p>
        <h2>Query</h2>
        {{#needsZone}}<p>Choose a zone.</p>{{/needsZone}}
        {{#query}}
        \(Template.records)
        {{/query}}
        {{/person}}
        """
}
