extension OwnTemplate {
    /// One record of the person's own databases.
    static let ownRecord = """
        {{#signInHref}}<p>Private records are shown to their owners alone. <a href="{{.}}">Sign in as
        yourself</a> to see yours.</p>{{/signInHref}}
        {{^signInHref}}
        <p>Record type <bdi>{{recordType}}</bdi>. <a href="{{backHref}}">Back to the records</a></p>
        <div class="wide"><table><thead><tr><th scope="col">Field</th><th scope="col">Value</th>
        <th scope="col">Leads to</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row"><bdi>{{field}}</bdi></th><td><bdi>{{text}}</bdi></td>
        <td>{{#links}}<a href="{{href}}">{{label}}</a> {{/links}}
        {{#images}}<img class="preview" src="{{.}}" alt="">{{/images}}</td></tr>{{/rows}}
        {{^rows}}<tr><td colspan="3">The record has no value.</td></tr>{{/rows}}
        </tbody></table></div>
        {{#share}}
        <h2 id="share">Share</h2>
        <p>The share <bdi>{{shareName}}</bdi> covers <bdi>{{covers}}</bdi>. Whoever has the link may do:
        {{publicPermission}}.</p>
        <div class="wide"><table aria-labelledby="share"><thead><tr><th scope="col">Participant</th>
        <th scope="col">Role</th><th scope="col">May</th><th scope="col">State</th></tr></thead><tbody>
        {{#participants}}<tr><th scope="row"><bdi>{{participant}}</bdi></th><td>{{participantRole}}</td>
        <td>{{permission}}</td><td>{{acceptance}}</td></tr>{{/participants}}
        </tbody></table></div>
        {{#hidden}}<p class="hint">and {{.}} more</p>{{/hidden}}
        {{/share}}
        {{^share}}<p>The record is not shared.</p>{{/share}}
        <h2>System fields</h2>
        <div class="wide"><table><tbody>
        {{#system}}<tr><th scope="row">{{systemName}}</th><td>{{systemText}}</td></tr>{{/system}}
        </tbody></table></div>
        {{/signInHref}}
        """
}
