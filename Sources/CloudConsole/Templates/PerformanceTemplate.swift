extension Template {
    /// Charts and tables of an app's requests.
    static let performance = """
        <form method="get" class="row">
        {{#choices}}<div><label for="{{name}}">{{label}}</label><select id="{{name}}" name="{{name}}">
        {{#options}}<option value="{{value}}"{{#isChosen}}
        selected{{/isChosen}}>{{label}}</option>{{/options}}
        </select></div>{{/choices}}
        <button>Show</button>
        </form>
        <p class="hint">Everybody's requests to this container and environment, in UTC. A client error is one
        that the app must resolve, such as a conflict or an unknown zone; the error of a single record counts,
        too. Nobody's private database is counted on its own.</p>
        {{#isEmpty}}<p>No requests in this time.</p>{{/isEmpty}}
        {{^isEmpty}}
        <div class="charts">
        {{#charts}}<figure><figcaption>{{title}}</figcaption>
        <svg viewBox="0 0 640 160" role="img"><title>{{title}}: {{summary}}</title>
        {{#marks}}{{#lineY}}<line x1="76" y1="{{.}}" x2="640" y2="{{.}}"/>{{/lineY}}
        <text x="{{x}}" y="{{y}}" text-anchor="{{anchor}}">{{text}}</text>{{/marks}}
        {{#rectangles}}<rect x="{{x}}" y="{{y}}" width="{{width}}" height="{{height}}">
        <title>{{tip}}</title></rect>{{/rectangles}}</svg></figure>{{/charts}}
        </div>
        <h2>By operation</h2>
        <div class="wide"><table><thead><tr><th scope="col">Operation</th>
        {{#headings}}<th scope="col" class="number">{{.}}</th>{{/headings}}
        <th scope="col">Errors</th></tr></thead><tbody>
        {{#operations}}<tr><th scope="row">{{name}}</th>
        {{#cells}}<td class="number">{{.}}</td>{{/cells}}<td>{{errors}}</td></tr>{{/operations}}
        </tbody></table></div>
        <h2>By {{timeHeading}}</h2>
        <div class="wide"><table id="times"><thead><tr><th scope="col">From</th>
        {{#headings}}<th scope="col" class="number">{{.}}</th>{{/headings}}
        {{#timeHeadings}}<th scope="col" class="number">{{.}}</th>{{/timeHeadings}}
        <th scope="col">Errors</th></tr></thead><tbody>
        {{#times}}<tr><th scope="row">{{name}}</th>
        {{#cells}}<td class="number">{{.}}</td>{{/cells}}<td>{{errors}}</td></tr>{{/times}}
        </tbody></table></div>
        {{#hasErrors}}<h2>What the errors mean</h2>
        <div class="wide"><table id="meanings"><thead><tr><th scope="col">Error</th>
        <th scope="col" class="number">Times</th><th scope="col">Meaning</th><th scope="col">What to do</th>
        <th scope="col">Logs</th></tr></thead><tbody>
        {{#meanings}}<tr><th scope="row">{{code}}</th><td class="number">{{count}}</td>
        <td class="words">{{cause}}</td><td class="words">{{remedy}}</td><td><a href="{{logsHref}}"
          aria-label="Last requests with {{code}}">Last requests</a></td></tr>{{/meanings}}
        </tbody></table></div>{{/hasErrors}}
        <p>Clients: {{clients}}. Pushes: {{pushes}}.</p>
        {{/isEmpty}}
        """
}
