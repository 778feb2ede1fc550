extension Template {
    /// The review before a deployment.
    static let deploy = """
        <p>A deployment adds the record types, fields and roles of development to production, where they are
        locked then: no field can be removed or get another type. Records and members of roles stay where they
        are.</p>
        <h2>{{changeCount}} changes in production</h2>
        {{#isUnchanged}}<p>Production has all of the schema.</p>{{/isUnchanged}}
        {{^isUnchanged}}<pre id="changes" tabindex="0" aria-label="Changes">{{#changes}}{{.}}
        {{/changes}}</pre>{{/isUnchanged}}
        {{#freed}}<p id="freed">{{.}}</p>{{/freed}}
        {{#mayDeploy}}
        <form method="post" action="{{action}}">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <input type="hidden" name="reviewed" value="{{fingerprint}}">
        <button name="action" value="deploy" id="deploy">Deploy to production</button>
        </form>
        {{/mayDeploy}}
        """
}
