extension Template {
    /// Usage and quota of a container.
    static let usage = """
        <p><strong id="users">{{users}}</strong> people have used this container.</p>
        <div class="wide"><table><thead><tr><th scope="col">What</th><th scope="col" class="number">Used</th>
        <th scope="col" class="number">Limit</th><th scope="col" class="number">Share</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row">{{what}}</th><td class="number">{{used}}</td>
        <td class="number">{{limit}}</td><td class="number">{{percent}}</td></tr>{{/rows}}
        </tbody></table></div>
        <p><a href="{{usersHref}}" id="who-public">What each user stores in the public database</a></p>
        <p>The private data of each person in all containers: at most {{personLimit}}, unless the person has
        another quota.{{#peopleHref}} <a href="{{.}}" id="who-private">Whose private
        data is largest</a>{{/peopleHref}}</p>
        """
}
