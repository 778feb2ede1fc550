extension Template {
    /// The last requests.
    static let logs = """
        <p class="hint">The server keeps its last requests in memory, and loses them when it stops. Of
        requests to private and shared databases it keeps no record names, no sizes and no texts.</p>
        <form method="get" action="{{action}}" class="row">
        {{#inputs}}<div><label for="{{inputName}}">{{inputLabel}}</label><input id="{{inputName}}"
          name="{{inputName}}" value="{{inputValue}}" autocapitalize="none" spellcheck="false"></div>
        {{/inputs}}
        <div><label for="error">Error</label><select id="error" name="error">
        {{#errorOptions}}<option value="{{value}}"{{#isSelected}}
          selected{{/isSelected}}>{{label}}</option>{{/errorOptions}}
        </select></div>
        <button id="find">Find</button>
        </form>
        <p>{{#isFollowing}}This page loads itself again every few seconds. <a href="{{stopHref}}"
          id="stop">Stop</a>{{/isFollowing}}
        {{^isFollowing}}<a href="{{followHref}}" id="follow">Follow</a>{{/isFollowing}}</p>
        <div class="wide"><table><thead><tr><th scope="col">When</th><th scope="col">Operation</th>
        <th scope="col">Where</th><th scope="col">Person</th><th scope="col">Device</th><th
          scope="col">Status</th><th scope="col">Request / answer</th><th scope="col">Time</th>
        <th scope="col">Public records</th><th scope="col">Errors</th></tr></thead><tbody>
        {{#rows}}<tr><td class="time">{{when}}</td><td class="time">{{operation}}</td>
        <td><bdi>{{location}}</bdi></td>
        <td class="word"><bdi>{{person}}</bdi></td><td class="word"><bdi>{{device}}</bdi></td>
        <td class="number">{{status}}</td>
        <td class="number">{{size}}</td><td class="number">{{time}}</td><td><bdi>{{names}}</bdi></td>
        <td class="words">{{#explanations}}<strong>{{code}}</strong> <bdi>{{reason}}</bdi> {{cause}}
        {{remedy}}
        {{/explanations}}</td></tr>{{/rows}}
        {{^rows}}<tr><td colspan="10">None of the requests that the server keeps is such a
        request.</td></tr>{{/rows}}
        </tbody></table></div>
        {{#hasForgotten}}<p class="hint" id="forgotten">The server has answered older requests, too, but no
        longer keeps them.</p>{{/hasForgotten}}
        <p class="pages">{{#olderHref}}<a href="{{.}}">Older</a>{{/olderHref}}</p>
        """
}
