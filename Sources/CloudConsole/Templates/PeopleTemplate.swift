extension ServerTemplate {
    /// The list of people.
    static let people = """
        {{#isBySize}}<p>Those whose private databases take most room, largest first.
        <a href="{{nameHref}}" id="by-name">All people by name</a></p>{{/isBySize}}
        {{^isBySize}}<p>All people by name. <a href="{{sizeHref}}" id="by-size">Those who store
        most</a></p>{{/isBySize}}
        {{#isCounting}}<p role="status">The sizes are being counted. Load the page again.</p>{{/isCounting}}
        <div class="wide"><table><thead><tr><th scope="col">Name</th><th scope="col">E-mail</th>
        <th scope="col">Status</th><th scope="col">Created</th>{{#isBySize}}<th scope="col"
          class="number">Private data</th>{{/isBySize}}</tr></thead><tbody>
        {{#rows}}<tr><th scope="row"><a href="{{href}}"><bdi>{{name}}</bdi></a></th><td>{{email}}</td>
        <td>{{status}}</td><td>{{created}}</td>{{#isBySize}}<td class="number">{{used}}</td>{{/isBySize}}</tr>
        {{/rows}}
        {{^rows}}<tr><td colspan="5">Nobody yet.</td></tr>{{/rows}}
        </tbody></table></div>
        <p class="pages">{{#pages}}<a href="{{href}}">{{label}}</a> {{/pages}}</p>
        <h2>Add a person</h2>
        <form method="post" action="{{action}}" class="form">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <label for="name">Name to sign in with</label>
        <input id="name" name="name" value="{{typedName}}" required autocapitalize="none" spellcheck="false">
        <label for="email">E-mail address</label><input id="email" name="email" value="{{typedEmail}}">
        <label for="password">Password</label>
        <p class="hint" id="password-hint">At least 8 characters. Without one, the person can sign in on an
          open
        server only.</p>
        <input id="password" name="password" type="password" autocomplete="new-password"
          aria-describedby="password-hint">
        <button name="action" value="add">Add</button>
        </form>
        """
}
