extension ServerTemplate {
    /// One person.
    static let person = """
        <p>{{email}}</p>
        <p>Private data in all containers: <strong>{{used}}</strong> of {{limit}}</p>
        <form method="post" action="{{action}}" class="row">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <div><label for="status">Status</label><select id="status" name="status">
        {{#statuses}}<option value="{{value}}"{{#isSelected}}
          selected{{/isSelected}}>{{label}}</option>{{/statuses}}
        </select></div>
        <button name="action" value="status">Set</button>
        </form>
        <form method="post" action="{{action}}" class="row">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <div><label for="quota">Quota in bytes; empty: that of everybody</label>
        <input id="quota" name="quota" value="{{typedQuota}}" inputmode="numeric"></div>
        <button name="action" value="quota">Set</button>
        </form>
        <form method="post" action="{{action}}">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <button class="other" name="action" value="sign-out">End all sessions</button>
        </form>
        <h2>Delete this person</h2>
        <form method="post" action="{{action}}" class="form">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <label for="confirm">To delete the person with all private data, type the name</label>
        <input id="confirm" name="confirm" required autocapitalize="none" spellcheck="false">
        <button class="danger" name="action" value="delete">Delete</button>
        </form>
        """
}
