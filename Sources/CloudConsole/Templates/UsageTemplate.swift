extension Template {
    /// Usage and quota of a container.
    static let usage = """
        <p><strong id="users">{{users}}</strong> people have used this container.</p>
        <div class="wide"><table><thead><tr><th scope="col">What</th><th scope="col" class="number">Used</th>
        <th scope="col" class="number">Limit</th><th scope="col" class="number">Share</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row">{{what}}</th><td class="number">{{used}}</td>
        <td class="number">{{limit}}</td><td class="number">{{percent}}</td></tr>{{/rows}}
        </tbody></table></div>
        <p class="hint" id="prices">A record counts the bytes of its name and its fields, {{recordPrice}} for
        its stamps, its parent and its index entries, and {{memberPrice}} for each person whom a share names.
        A file counts once for each record that refers to it. Indexes do not count, however large they are.
        The public quota grows with the number of people who have used the container;
        <a href="/limits">the published limits</a> have the numbers, and the page "Hosting" of the
        documentation has the rules, under "Limits".</p>
        <h2>What takes up most of the public database</h2>
        {{^types}}<p>The server's store does not measure the space of a record type.</p>{{/types}}
        {{#types}}<p class="hint">The records of each type, their files, and beside them the indexes of the
        type, whose page shows each of them. Figures of many records are estimated from some of them.</p>
        <div class="wide"><table id="by-type"><thead><tr><th scope="col">Record type</th>
        <th scope="col" class="number">Records</th><th scope="col" class="number">Size</th>
        <th scope="col" class="number">Files</th><th scope="col" class="number">Indexes</th>
        <th scope="col" class="number">Share of all</th></tr></thead><tbody>
        {{#typeRows}}<tr><th scope="row"><a href="{{href}}">{{typeName}}</a></th>
        <td class="number">{{records}}</td><td class="number">{{recordSize}}</td>
        <td class="number">{{fileSize}}</td><td class="number">{{indexSize}}</td>
        <td class="number">{{share}}</td></tr>{{/typeRows}}
        </tbody></table></div>
        <p class="pages">{{#typePages}}<a href="{{href}}">{{label}}</a> {{/typePages}}</p>{{/types}}
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
