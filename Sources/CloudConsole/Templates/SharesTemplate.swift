extension OwnTemplate {
    /// The shares of the person.
    static let shares = """
        {{^person}}<p>Shares of private records are shown to the people who take part in them.
        <a href="{{ownHref}}">Sign in as yourself</a> to see yours.</p>{{/person}}
        {{#person}}
        <nav aria-label="Shares"><ul class="switch">
        {{#databases}}<li><a href="{{href}}"{{#isCurrent}}
          aria-current="true"{{/isCurrent}}>{{label}}</a></li>{{/databases}}
        </ul></nav>
        {{#problem}}<p class="problem" role="alert">{{.}}</p>{{/problem}}
        <div class="wide"><table id="shares"><thead><tr><th scope="col">Share</th><th scope="col">Zone</th>
        <th scope="col">Covers</th><th scope="col">Whoever has the link may</th>
        <th scope="col">Participants</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row"><a href="{{href}}"><bdi>{{title}}</bdi></a></th>
        <td><bdi>{{zoneName}}</bdi></td>
        {{#share}}<td>{{#rootHref}}<a href="{{.}}">{{/rootHref}}<bdi>{{covers}}</bdi>{{#rootHref}}</a>
        {{/rootHref}}</td>
        <td>{{publicPermission}}</td>
        <td><ul>{{#participants}}<li><bdi>{{participant}}</bdi>: {{participantRole}}, may {{permission}},
          {{acceptance}}</li>{{/participants}}
          {{#hidden}}<li>and {{.}} more</li>{{/hidden}}</ul></td>{{/share}}</tr>
        {{/rows}}
        {{^rows}}<tr><td colspan="5">{{#isOwner}}You share nothing here.{{/isOwner}}{{^isOwner}}Nobody shares
        anything with you here.{{/isOwner}}</td></tr>{{/rows}}
        </tbody></table></div>
        <p class="pages">{{#nextHref}}<a href="{{.}}">Next page</a>{{/nextHref}}</p>
        {{/person}}
        """
}
