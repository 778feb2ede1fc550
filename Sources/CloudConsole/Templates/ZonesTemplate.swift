extension OwnTemplate {
    /// The zones of the public database and of the person's own databases.
    static let zones = """
        <h2>Public database</h2>
        <p>Records: <strong>{{recordBytes}}</strong>, files: <strong>{{fileBytes}}</strong></p>
        <div class="wide"><table><thead><tr><th scope="col">Zone</th>
        <th scope="col" class="number">Size</th><th scope="col">Batches</th>
        <th scope="col">Change token</th></tr></thead><tbody>
        {{#publicRows}}<tr><th scope="row"><a
        href="{{href}}"><bdi>{{zoneName}}</bdi></a></th><td class="number">{{size}}</td>
        <td>{{atomic}}</td><td>{{token}}</td></tr>{{/publicRows}}
        </tbody></table></div>
        <h2>My zones</h2>
        {{^person}}<p>Zones of private databases are shown to their owners alone. <a href="{{ownHref}}">Sign
        in as yourself</a> to see yours.</p>{{/person}}
        {{#person}}
        <p>Your private data in all containers takes <strong>{{ownBytes}}</strong>. You have
        <a href="{{subscriptionsHref}}">{{subscriptionCount}} subscriptions</a> here.</p>
        {{#isMore}}<p class="hint">These are the first zones of each database.</p>{{/isMore}}
        <div class="wide"><table><thead><tr><th scope="col">Database</th><th scope="col">Zone</th>
        <th scope="col" class="number">Size</th><th scope="col">Batches</th>
        <th scope="col">Change token</th></tr></thead><tbody>
        {{#rows}}<tr><td>{{database}}</td><th scope="row"><a href="{{href}}"><bdi>{{zoneName}}</bdi></a></th>
        <td class="number">{{size}}</td><td>{{atomic}}</td><td class="secret">{{token}}</td></tr>{{/rows}}
        </tbody></table></div>
        {{/person}}
        """
}
