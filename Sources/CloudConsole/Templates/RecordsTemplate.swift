extension Template {
    /// The query builder and a page of records.
    static let records = """
        <form method="get" action="{{action}}" class="query">
        {{#hidden}}<input type="hidden" name="{{hiddenName}}" value="{{hiddenValue}}">{{/hidden}}
        <div class="row">
        <div><label for="type">Record type</label>
        <input id="type" name="type" value="{{type}}" list="types" required autocapitalize="none"
          spellcheck="false" aria-describedby="query-problem"></div>
        <datalist id="types">{{#typeNames}}<option value="{{.}}"></option>{{/typeNames}}</datalist>
        <datalist id="fields">{{#fieldNames}}<option value="{{.}}"></option>{{/fieldNames}}</datalist>
        </div>
        <fieldset><legend>Conditions, all of which a record must meet</legend>
        {{#conditions}}
        <div class="row">
        <input name="f{{number}}" value="{{conditionField}}" list="fields" aria-label="Field {{number}}"
          autocapitalize="none" spellcheck="false" placeholder="field">
        <select name="c{{number}}" aria-label="Comparison {{number}}">
        {{#comparators}}<option value="{{value}}"{{#isSelected}} selected{{/isSelected}}>{{label}}</option>
        {{/comparators}}</select>
        <input name="v{{number}}" value="{{conditionValue}}" aria-label="Value {{number}}"
          placeholder="value">
        <input name="km{{number}}" value="{{kilometres}}" aria-label="Kilometres {{number}}" size="6"
          inputmode="decimal" placeholder="km">
        </div>
        {{/conditions}}
        <p class="hint">A place is latitude, longitude: 37.33, -122.03. A time is 2014-06-02T12:00:00Z.</p>
        </fieldset>
        <div class="row">
        <div><label for="sort">Sort by</label><input id="sort" name="sort" value="{{sort}}" list="fields"
          autocapitalize="none" spellcheck="false"></div>
        <div><label for="order">Order</label><select id="order" name="order">
        {{#orders}}<option value="{{value}}"{{#isSelected}}
          selected{{/isSelected}}>{{label}}</option>{{/orders}}
        </select></div>
        <button id="find">Find</button>
        </div>
        </form>
        {{#mayChange}}<p><a href="{{newHref}}" id="new-record">New record</a></p>{{/mayChange}}
        {{#queryProblem}}<p class="problem" id="query-problem" role="alert">{{.}}</p>{{/queryProblem}}
        {{#map}}
        <svg class="map" viewBox="0 0 240 240" role="img" aria-label="{{label}}">
        <circle class="reach" cx="120" cy="120" r="100"/><circle class="middle" cx="120" cy="120" r="3"/>
        {{#dots}}<circle class="hit" cx="{{x}}" cy="{{y}}" r="4"><title>{{title}}</title></circle>
        {{/dots}}<text x="120" y="14" text-anchor="middle">north</text>
        <text x="120" y="235" text-anchor="middle">{{radiusWords}} around {{place}}</text>
        </svg>
        {{/map}}
        {{#hasAsked}}
        <h2 id="found">Records</h2>
        <div class="wide"><table aria-labelledby="found">
        <thead><tr><th scope="col">Name</th>{{#columns}}<th scope="col">{{.}}</th>{{/columns}}
        <th scope="col">Changed</th></tr></thead><tbody>
        {{#rows}}
        <tr><th scope="row"><a href="{{href}}"><bdi>{{name}}</bdi></a></th>
        {{#cells}}<td>{{#targetHref}}<a href="{{.}}">{{/targetHref}}<bdi>{{cellText}}</bdi>{{#targetHref}}</a>
        {{/targetHref}}</td>{{/cells}}<td class="time">{{changed}}</td></tr>
        {{/rows}}
        {{^rows}}<tr><td colspan="2">No record was found.</td></tr>{{/rows}}
        </tbody></table></div>
        {{#hiddenRecords}}<p class="hint">and {{.}} more, for whose addresses the page has no
        room</p>{{/hiddenRecords}}
        {{/hasAsked}}
        <p class="pages">{{#firstHref}}<a href="{{.}}">First page</a>{{/firstHref}}
        {{#nextHref}}<a href="{{.}}" id="next-page">Next page</a>{{/nextHref}}</p>
        """
}
