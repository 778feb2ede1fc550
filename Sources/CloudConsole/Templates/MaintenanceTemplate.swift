extension ServerTemplate {
    /// The check of the server's data, and its backups.
    static let maintenance = """
        <h2>Check</h2>
        <form method="post" action="{{action}}">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <p>Looks at the databases, their files and the disk, as the command cloudlet doctor does.</p>
        <button name="action" value="check" id="check">Check now</button>
        </form>
        {{#verdict}}<p role="status">{{.}}</p>
        <div class="wide"><table id="findings"><thead><tr><th scope="col">Kind</th><th scope="col">Where</th>
        <th scope="col">What</th><th scope="col">What to do</th></tr></thead><tbody>
        {{#rows}}<tr><td>{{kind}}</td><td><bdi>{{subject}}</bdi></td><td><bdi>{{text}}</bdi></td>
        <td><bdi>{{nextStep}}</bdi></td></tr>{{/rows}}
        {{^rows}}<tr><td colspan="4">All is well.</td></tr>{{/rows}}
        </tbody></table></div>
        {{#hidden}}<p class="hint">and {{.}} more; the command cloudlet doctor lists all</p>{{/hidden}}
        {{/verdict}}
        <h2>Backups</h2>
        {{#mayBackUp}}
        <ul id="backups">{{#backups}}<li>{{.}}</li>{{/backups}}{{^backups}}<li>There is none
        yet.</li>{{/backups}}
        </ul>
        <form method="post" action="{{action}}">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <button name="action" value="back-up" id="back-up">Make a backup</button>
        </form>
        <p class="hint">A backup is as secret as the data, and stays until somebody removes it. The command
        cloudlet restore brings one back.</p>
        {{/mayBackUp}}
        {{^mayBackUp}}<p>The server was started without a folder for backups: cloudlet serve --backups DIR.
        The
        command cloudlet backup makes one at any time.</p>{{/mayBackUp}}
        """
}
