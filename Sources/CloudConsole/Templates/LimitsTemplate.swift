extension ServerTemplate {
    /// The limits of the server.
    static let limits = """
        <h2>Request rates</h2>
        <div class="wide"><table><tbody>
        {{#rates}}<tr><th scope="row">{{limitName}}</th><td>{{value}}</td></tr>{{/rates}}
        </tbody></table></div>
        <h2>Quota</h2>
        {{^quotas}}<p>The size of data is not limited.</p>{{/quotas}}
        {{#quotas}}<div class="wide"><table><tbody>
        {{#sizes}}<tr><th scope="row">{{limitName}}</th><td class="number">{{value}}</td></tr>{{/sizes}}
        </tbody></table></div>{{/quotas}}
        <h2>Limits of requests and records</h2>
        <div class="wide"><table><tbody>
        {{#rows}}<tr><th scope="row">{{limitName}}</th><td class="number">{{value}}</td></tr>{{/rows}}
        </tbody></table></div>
        """
}
