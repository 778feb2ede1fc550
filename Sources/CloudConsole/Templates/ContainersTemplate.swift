extension Template {
    /// The list of containers.
    static let containers = """
        <div class="wide"><table>
        <thead><tr><th scope="col">Container</th><th scope="col">Your role</th><th
          scope="col">Created</th></tr>
        </thead><tbody>
        {{#rows}}
        <tr><td><a href="{{href}}"><bdi>{{name}}</bdi></a>{{#warnings}}<p
          class="hint">{{.}}</p>{{/warnings}}</td>
        <td>{{rowRole}}</td><td>{{created}}</td></tr>
        {{/rows}}
        {{^rows}}<tr><td colspan="3">There is no container in which you have a role.</td></tr>{{/rows}}
        </tbody></table></div>
        <p class="pages">{{#pages}}<a href="{{href}}">{{label}}</a> {{/pages}}</p>
        {{#mayCreate}}
        <h2>Create a container</h2>
        <form method="post" action="/console/containers" class="form">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <label for="name">Name</label>
        <p class="hint" id="name-hint">iCloud. and a domain of yours in reverse order:
          iCloud.org.example.app</p>
        <input id="name" name="name" value="{{typedName}}" required autocapitalize="none" spellcheck="false"
          aria-describedby="name-hint">
        <button name="action" value="create">Create</button>
        </form>
        {{/mayCreate}}
        """
}
