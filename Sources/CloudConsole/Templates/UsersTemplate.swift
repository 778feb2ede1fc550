extension Template {
    /// The users of a container.
    static let users = """
        <p><strong>{{count}}</strong> people have used this container. Those who agreed to be found have a
        name. What server-to-server keys and operators have saved belongs to no user.</p>
        <div class="wide"><table><thead><tr><th scope="col">User record</th><th scope="col">Name</th><th
          scope="col" class="number">Public records and files</th><th
          scope="col">Security roles here</th></tr></thead>
        <tbody>
        {{#rows}}<tr><th scope="row">{{userRecord}}</th><td><bdi>{{person}}</bdi></td><td
          class="number">{{publicSize}}</td><td
          class="roles"><bdi>{{roles}}</bdi>{{#rolesHref}} <a href="{{.}}"
          aria-label="Change the roles of {{userRecord}}">Change</a>{{/rolesHref}}</td></tr>{{/rows}}
        {{^rows}}<tr><td colspan="4">Nobody yet.</td></tr>{{/rows}}
        </tbody></table></div>
        <p class="pages">{{#nextHref}}<a href="{{.}}">Next</a>{{/nextHref}}</p>
        """
}
