extension Template {
    /// The security roles and their members.
    static let roles = """
        <p class="hint">Everybody has the role _world, signed-in people have _icloud, and the person who
          created
        a record has _creator for it. The permissions of roles are set on the pages of record types. Members
          who
        agreed to be found are shown by name.</p>
        {{#rows}}
        <h2><bdi>{{roleName}}</bdi></h2>
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
