extension Template {
    /// The users of a container.
    static let users = """
        <p><strong>{{count}}</strong> people have used this container. Those who agreed to be found have a
        name.</p>
        <div class="wide"><table><thead><tr><th scope="col">User record</th><th
          scope="col">Name</th></tr></thead>
        <tbody>
        {{#rows}}<tr><th scope="row">{{userRecord}}</th><td><bdi>{{person}}</bdi></td></tr>{{/rows}}
        {{^rows}}<tr><td colspan="2">Nobody yet.</td></tr>{{/rows}}
        </tbody></table></div>
        <p class="pages">{{#nextHref}}<a href="{{.}}">Next</a>{{/nextHref}}</p>
        """
}
