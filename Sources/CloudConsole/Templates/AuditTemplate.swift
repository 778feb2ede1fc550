extension Template {
    /// The audit log.
    static let audit = """
        <div class="wide"><table><thead><tr><th scope="col">When</th><th scope="col">Who</th>
        <th scope="col">Where</th><th scope="col">What</th><th scope="col">Of</th><th scope="col">Before</th>
        <th scope="col">After</th></tr></thead><tbody>
        {{#rows}}
        <tr><td class="time">{{when}}</td><td class="word"><bdi>{{by}}</bdi></td>
        <td class="word">{{location}}</td><td class="time">{{what}}</td>
        <td class="word"><bdi>{{subject}}</bdi></td><td class="word"><bdi>{{before}}</bdi></td>
        <td class="word"><bdi>{{after}}</bdi></td></tr>
        {{/rows}}
        {{^rows}}<tr><td colspan="7">No change yet.</td></tr>{{/rows}}
        </tbody></table></div>
        <p class="pages">{{#nextHref}}<a href="{{.}}">Older</a>{{/nextHref}}</p>
        """
}
