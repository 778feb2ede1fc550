extension Template {
    /// API tokens and server-to-server keys.
    static let tokens = """
        {{#secret}}<p role="status">This is the text of the new token. It is shown only now, because the
          server
        keeps just a hash of it.</p><p class="secret"><code id="secret">{{.}}</code></p>{{/secret}}
        <h2>API tokens</h2>
        <div class="wide"><table><thead><tr><th scope="col">Token</th><th scope="col">Label</th>
        <th scope="col">Created</th><th scope="col">State</th></tr></thead><tbody>
        {{#tokens}}
        <tr><th scope="row">{{id}}</th><td><bdi>{{rowLabel}}</bdi></td><td>{{created}}</td>
        <td>{{#isRevoked}}revoked{{/isRevoked}}{{^isRevoked}}valid {{#mayChange}}
        <form method="post" action="{{action}}"><input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <input type="hidden" name="id" value="{{id}}">
        <button class="danger" name="action" value="revoke" aria-label="Revoke {{id}}">Revoke</button></form>
        {{/mayChange}}{{/isRevoked}}</td></tr>
        {{/tokens}}
        </tbody></table></div>
        <h2>Server-to-server keys</h2>
        <div class="wide"><table><thead><tr><th scope="col">Key</th><th scope="col">Label</th>
        <th scope="col">Created</th><th scope="col">State</th></tr></thead><tbody>
        {{#keys}}
        <tr><th scope="row">{{id}}</th><td><bdi>{{rowLabel}}</bdi></td><td>{{created}}</td>
        <td>{{#isRevoked}}revoked{{/isRevoked}}{{^isRevoked}}valid {{#mayChange}}
        <form method="post" action="{{action}}"><input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <input type="hidden" name="id" value="{{id}}">
        <button class="danger" name="action" value="revokeKey"
          aria-label="Revoke {{id}}">Revoke</button></form>
        {{/mayChange}}{{/isRevoked}}</td></tr>
        {{/keys}}
        </tbody></table></div>
        <p class="pages">{{#pages}}<a href="{{href}}">{{label}}</a> {{/pages}}</p>
        {{#mayChange}}
        <h2>Create an API token</h2>
        <form method="post" action="{{action}}" class="form">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <label for="label">Label</label><input id="label" name="label" value="{{typedLabel}}" required>
        <button name="action" value="create" id="create-token">Create</button>
        </form>
        <h2>Register a key</h2>
        <form method="post" action="{{action}}" class="form">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <label for="key-label">Label</label><input id="key-label" name="label" required>
        <label for="key">Public key in PEM, on the curve P-256</label>
        <textarea id="key" name="key" class="code" rows="4" required spellcheck="false"></textarea>
        <button name="action" value="register">Register</button>
        </form>
        {{/mayChange}}
        """
}
