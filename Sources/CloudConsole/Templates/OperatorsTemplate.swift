extension ServerTemplate {
    /// The operators.
    static let operators = """
        <div class="wide"><table><thead><tr><th scope="col">Name</th><th scope="col">Roles</th>
        <th scope="col">Change</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row"><bdi>{{name}}</bdi></th><td>{{roles}}</td><td>
        <form method="post" action="{{action}}"><input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <input type="hidden" name="name" value="{{name}}">
        <button class="danger" name="action" value="remove"
          aria-label="Remove {{name}}">Remove</button></form>
        </td></tr>{{/rows}}
        {{^rows}}<tr><td colspan="3">Nobody yet.</td></tr>{{/rows}}
        </tbody></table></div>
        <p class="pages">{{#pages}}<a href="{{href}}">{{label}}</a> {{/pages}}</p>
        <h2>Add an operator, or give a role or take it away</h2>
        <form method="post" action="{{action}}" class="form">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <label for="name">Name</label>
        <input id="name" name="name" value="{{typedName}}" required autocapitalize="none" spellcheck="false">
        <label for="role">Role</label><select id="role" name="role">
        {{#roleNames}}<option>{{.}}</option>{{/roleNames}}</select>
        <label for="container">Container; empty: all, and the whole server</label>
        <input id="container" name="container" value="{{typedContainer}}" autocapitalize="none"
          spellcheck="false">
        <label for="password">Password; empty: the present one</label>
        <input id="password" name="password" type="password" autocomplete="new-password">
        <button name="action" value="set">Set</button>
        </form>
        """
}
