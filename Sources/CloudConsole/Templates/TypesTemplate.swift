extension Template {
    /// The list of record types.
    static let types = """
        {{#isLocked}}<p class="hint">The schema of production changes only by deployment.</p>{{/isLocked}}
        <div class="wide"><table>
        <thead><tr><th scope="col">Record type</th><th scope="col" class="number">Fields</th>
        <th scope="col" class="number">Indexed</th><th scope="col">Records</th></tr></thead><tbody>
        {{#rows}}
        <tr><td><a href="{{href}}">{{name}}</a></td><td class="number">{{fieldCount}}</td>
        <td class="number">{{indexCount}}</td>
        <td><a href="{{recordsHref}}" aria-label="Records of {{name}}">Query</a></td></tr>
        {{/rows}}
        </tbody></table></div>
        <p class="pages">{{#pages}}<a href="{{href}}">{{label}}</a> {{/pages}}</p>
        {{#mayCreate}}
        <h2>Create a record type</h2>
        <form method="post" action="{{action}}" class="form">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <label for="name">Name</label>
        <input id="name" name="name" value="{{typedName}}" required autocapitalize="none" spellcheck="false">
        <button name="action" value="create">Create</button>
        </form>
        {{/mayCreate}}
        """
}
