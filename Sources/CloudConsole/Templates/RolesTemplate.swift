extension Template {
    /// The security roles and their members.
    static let roles = """
        <p class="hint">Everybody has the role _world, signed-in people have _icloud, and the person who
          created a record has _creator for it. Server-to-server keys, and the developers and administrators
          of this console, may do everything.</p>
        <h2>Who may do what</h2>
        <p class="hint">The roles with each permission on public records. WRITE is changing and deleting
          records; CREATE is saving new ones. The page of a record type sets its permissions.</p>
        <div class="wide"><table id="permissions"><thead><tr><th scope="col">Record type</th>
        {{#permissions}}<th scope="col">{{.}}</th>{{/permissions}}</tr></thead><tbody>
        {{#types}}<tr><th scope="row"><a href="{{href}}">{{typeName}}</a></th>
        {{#cells}}<td><bdi>{{.}}</bdi></td>{{/cells}}</tr>{{/types}}
        </tbody></table></div>
        {{#hiddenTypes}}<p class="hint">and {{.}} more; <a href="{{typesHref}}">the pages of all record
          types</a> have their permissions</p>{{/hiddenTypes}}
        <h2>Members</h2>
        <p class="hint">Members of the roles of this container. Those who agreed to be found have a name.</p>
        {{#rows}}
        <h3><bdi>{{roleName}}</bdi></h3>
        <ul>
        {{#members}}<li><bdi>{{label}}</bdi>
        {{#mayChange}}<form method="post" action="{{action}}">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}"><input type="hidden" name="role"
          value="{{memberRole}}">
        <input type="hidden" name="person" value="{{record}}">
        <button class="danger" name="action" value="revoke" aria-label="Remove {{label}}">Remove</button>
        </form>{{/mayChange}}</li>{{/members}}
        {{^members}}<li>Nobody yet.</li>{{/members}}
        {{#hidden}}<li>and {{.}} more; the command cloudlet role list shows all</li>{{/hidden}}
        </ul>
        {{#mayCreate}}<form method="post" action="{{action}}">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}"><input type="hidden" name="role"
          value="{{roleName}}">
        <button class="danger" name="action" value="delete" aria-label="Delete {{roleName}}">Delete
          role</button>
        </form>{{/mayCreate}}
        {{/rows}}
        {{^rows}}<p>There is no role yet.</p>{{/rows}}
        <p class="pages">{{#pages}}<a href="{{href}}">{{label}}</a> {{/pages}}</p>
        {{#mayChange}}
        <h2>Give a role to a person</h2>
        <form method="post" action="{{action}}" class="form">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <label for="role">Role</label><input id="role" name="role" value="{{typedRole}}" required>
        <label for="person">Person</label>
        <p class="hint" id="person-hint">Sign-in name, e-mail address or user record name</p>
        <input id="person" name="person" value="{{typedPerson}}" required autocapitalize="none"
          spellcheck="false" aria-describedby="person-hint">
        <button name="action" value="grant">Give</button>
        </form>
        {{/mayChange}}
        {{#mayCreate}}
        <h2>Create a role</h2>
        <form method="post" action="{{action}}" class="form">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <label for="new-role">Name</label><input id="new-role" name="role" required>
        <button name="action" value="create" id="create-role">Create</button>
        </form>
        {{/mayCreate}}
        """
}
