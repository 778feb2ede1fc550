extension Template {
    /// Usage and quota of a container.
    static let usage = """
        <p><strong id="users">{{users}}</strong> people have used this container.</p>
        <div class="wide"><table><thead><tr><th scope="col">What</th><th scope="col" class="number">Used</th>
        <th scope="col" class="number">Limit</th><th scope="col" class="number">Share</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row">{{what}}</th><td class="number">{{used}}</td>
        <td class="number">{{limit}}</td><td class="number">{{percent}}</td></tr>{{/rows}}
        </tbody></table></div>
        <h2>Who stores most in the public database</h2>
        <p class="hint">The creators of the public records: the number and size of their records, the size of
        the files of these records, and their share of the whole database. People who agreed to be found have
        a name. The page <a href="{{usersHref}}" id="who-public">Users</a> lists all users in
        the order of their record names.</p>
        <div class="wide"><table id="creators"><thead><tr><th scope="col">User record</th>
        <th scope="col">Name</th><th scope="col" class="number">Records</th>
        <th scope="col" class="number">Size</th><th scope="col" class="number">Files</th>
        <th scope="col" class="number">Share of all</th></tr></thead><tbody>
        {{#creators}}<tr><th scope="row">{{userRecord}}</th>
        <td>{{#note}}({{.}}){{/note}}<bdi>{{person}}</bdi></td>
        <td class="number">{{records}}</td><td class="number">{{recordSize}}</td>
        <td class="number">{{fileSize}}</td><td class="number">{{share}}</td></tr>
        {{/creators}}
        {{^creators}}<tr><td colspan="6">Nobody.</td></tr>{{/creators}}
        </tbody></table></div>
        <p class="pages">{{#firstHref}}<a href="{{.}}">First page</a>{{/firstHref}}
        {{#nextHref}}<a href="{{.}}">Next</a>{{/nextHref}}</p>
        <h2>Private data</h2>
        <p>The private data of each person in all containers: at most {{personLimit}}, unless the person has
        another quota.{{#peopleHref}} <a href="{{.}}" id="who-private">Whose private
        data is largest</a>{{/peopleHref}}</p>
        """
}
