extension OwnTemplate {
    /// The person's own subscriptions.
    static let subscriptions = """
        {{^person}}<p>Subscriptions belong to people, those in the public database too.
        <a href="{{ownHref}}">Sign in as yourself</a> to see yours.</p>{{/person}}
        {{#person}}
        <div class="wide"><table><thead><tr><th scope="col">Database</th><th scope="col">ID</th>
        <th scope="col">Fires on</th><th scope="col">Push</th></tr></thead><tbody>
        {{#rows}}<tr><td>{{database}}</td><th
        scope="row"><bdi>{{id}}</bdi></th><td><bdi>{{firesOn}}</bdi></td>
        <td><bdi>{{push}}</bdi></td></tr>{{/rows}}
        {{^rows}}<tr><td colspan="4">You have no subscription here.</td></tr>{{/rows}}
        </tbody></table></div>
        <p class="pages">{{#pages}}<a href="{{href}}">{{label}}</a> {{/pages}}</p>
        {{/person}}
        """
}
