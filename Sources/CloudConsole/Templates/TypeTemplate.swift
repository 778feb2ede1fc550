extension Template {
    /// One record type.
    static let type = """
        <p><a href="{{recordsHref}}">Query the records of this type</a></p>
        <h2>Fields</h2>
        <div class="wide"><table>
        <thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Indexes</th>
        <th scope="col" class="number">Their space</th>
        {{#mayChange}}<th scope="col">Change</th>{{/mayChange}}</tr></thead><tbody>
        {{#rows}}
        <tr><th scope="row">{{field}}</th><td class="type">{{fieldType}}</td>
        <td>
        {{#mayChange}}{{#canIndex}}
        <form method="post" action="{{action}}">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}"><input type="hidden" name="field"
          value="{{field}}">
        {{#indexes}}<span class="choice"><input type="checkbox" id="{{id}}" name="{{name}}"
          value="{{value}}"{{#isOn}}
          checked{{/isOn}}>{{#isOn}}<input type="hidden" name="was" value="{{value}}">{{/isOn}}<label
          class="choice" for="{{id}}">{{label}}</label></span>{{/indexes}}
        <button class="other" name="action" value="indexes" aria-label="Set indexes of {{field}}">Set</button>
        </form>
        {{/canIndex}}{{/mayChange}}
        {{^mayChange}}{{indexWords}}{{/mayChange}}
        </td>
        <td class="number">{{#spaceHref}}<a href="{{.}}"
          aria-label="Indexes of {{field}}: {{space}}">{{space}}</a>{{/spaceHref}}</td>
        {{#mayChange}}<td>{{#isOwn}}
        <form method="post" action="{{action}}">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}"><input type="hidden" name="field"
          value="{{field}}">
        <button class="danger" name="action" value="remove" aria-label="Delete {{field}}">Delete</button>
        </form>{{/isOwn}}</td>{{/mayChange}}</tr>
        {{/rows}}
        </tbody></table></div>
        <p class="pages">{{#pages}}<a href="{{href}}">{{label}}</a> {{/pages}}</p>
        {{#space}}<p id="space">In the public database: <strong>{{records}}</strong> records of
        <strong>{{recordSize}}</strong>, their files of <strong>{{fileSize}}</strong>, and beside them
        indexes of <strong>{{indexSize}}</strong>{{#wordSize}}, of which the words of all searchable fields
        are <strong>{{.}}</strong>{{/wordSize}}. Before an index is dropped, its page
        says what that frees.</p>{{/space}}
        {{^space}}<p class="hint">The server's store does not measure the space of a record
        type.</p>{{/space}}
        {{#mayChange}}
        <h2>Add a field</h2>
        <form method="post" action="{{action}}" class="row">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <div><label for="field">Name</label><input id="field" name="field" value="{{typedField}}" required
          autocapitalize="none" spellcheck="false"></div>
        <div><label for="field-type">Type</label><select id="field-type" name="type">
        {{#typeNames}}<option>{{label}}</option>{{/typeNames}}</select></div>
        <span class="choice"><input type="checkbox" id="encrypted" name="encrypted" value="1">
        <label class="choice" for="encrypted">encrypted</label></span>
        <button name="action" value="add">Add</button>
        <button class="danger" name="action" value="replace">Delete and add with this type</button>
        </form>
        <p class="hint">A field keeps its type. To correct it, delete the field with its values, and
        add it with the right type.</p>
        {{/mayChange}}
        <h2>Security roles</h2>
        <p class="hint">Who may do what with public records of this type. WRITE is changing and deleting
        records; CREATE is saving new ones. Everybody has the role _world, signed-in people have _icloud, and
        the person who created a record has _creator for it; the page <a
          href="{{rolesHref}}">Security roles</a> lists the members of the other roles. Server-to-server keys,
        and the developers and administrators of this console, may change and delete every public record.</p>
        {{#mayChange}}<form method="post" action="{{action}}">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">{{/mayChange}}
        <div class="wide"><table>
        <thead><tr><th scope="col">Role</th>{{#permissions}}<th
          scope="col">{{.}}</th>{{/permissions}}</tr></thead>
        <tbody>
        {{#grants}}
        <tr><th scope="row"><bdi>{{grantRole}}</bdi><input type="hidden" name="role"
          value="{{grantRole}}"></th>
        {{#cells}}<td><input type="checkbox" id="{{id}}" name="{{name}}" value="{{value}}"
          aria-label="{{label}}"{{#isOn}}
          checked{{/isOn}}{{^mayChange}} disabled{{/mayChange}}>{{#isOn}}<input type="hidden" name="was"
          value="{{value}}">{{/isOn}}</td>{{/cells}}</tr>
        {{/grants}}
        </tbody></table></div>
        {{#hiddenRoles}}<p class="hint">and {{.}} more roles; the schema as text has their
        permissions</p>{{/hiddenRoles}}
        {{#mayChange}}<button name="action" value="grants" id="set-grants">Set
          permissions</button>
        </form>{{/mayChange}}
        {{#mayDelete}}
        <h2>Delete this record type</h2>
        <form method="post" action="{{action}}" class="form">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <label for="confirm">To delete it with all its records, type its name</label>
        <input id="confirm" name="confirm" required autocapitalize="none" spellcheck="false">
        <button class="danger" name="action" value="delete">Delete</button>
        </form>
        {{/mayDelete}}
        """
}
