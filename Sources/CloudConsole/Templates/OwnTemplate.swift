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
        <h2>Records</h2>
        {{#needsZone}}<p>Choose a zone.</p>{{/needsZone}}
        {{^needsZone}}
        <form method="get" action="{{action}}" class="row">
        {{#hidden}}<input type="hidden" name="{{hiddenName}}" value="{{hiddenValue}}">{{/hidden}}
        <div><label for="type">Record type</label><input id="type" name="type" value="{{type}}" list="types"
          required autocapitalize="none" spellcheck="false"></div>
        <datalist id="types">{{#typeNames}}<option value="{{.}}"></option>{{/typeNames}}</datalist>
        <button>Find</button>
        </form>
        {{/needsZone}}
        {{#hasAsked}}
        <div class="wide"><table><thead><tr><th scope="col">Zone</th><th scope="col">Name</th>
        <th scope="col">Fields</th></tr></thead><tbody>
        {{#rows}}<tr><td>{{zone}}</td><td><a href="{{href}}"><bdi>{{name}}</bdi></a></td>
        <td><bdi>{{text}}</bdi></td></tr>{{/rows}}
        {{^rows}}<tr><td colspan="3">No record was found.</td></tr>{{/rows}}
        </tbody></table></div>
        <p class="pages">{{#nextHref}}<a href="{{.}}">Next page</a>{{/nextHref}}</p>
        {{/hasAsked}}
        {{/person}}
        """
}
