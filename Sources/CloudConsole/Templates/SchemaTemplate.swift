extension Template {
    /// The schema as text, and the import.
    static let schema = """
        {{#mayImport}}
        <h2>Import</h2>
        <form method="post" action="{{action}}" class="form">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <label for="text">Schema (.ckdb)</label>
        <textarea id="text" name="text" class="code" rows="8" required spellcheck="false">
        {{typedText}}</textarea>
        <button name="action" value="check" id="check">Review the changes</button>
        {{#hasChecked}}<input type="hidden" name="reviewed" value="{{fingerprint}}">
        <button name="action" value="import" id="import">Import</button>{{/hasChecked}}
        </form>
        {{#hasChecked}}
        <h2>Changes by this import</h2>
        {{#isUnchanged}}<p>None.</p>{{/isUnchanged}}
        <pre tabindex="0" aria-label="Changes by this import">{{#changes}}{{.}}
        {{/changes}}</pre>
        {{#freed}}<p id="freed">{{.}}</p>{{/freed}}
        {{/hasChecked}}
        {{/mayImport}}
        <h2>Export</h2>
        <p><a href="{{exportHref}}" id="export" download>Download the schema (.ckdb)</a></p>
        {{#isCut}}<p class="hint">This is the beginning; the file has all.</p>{{/isCut}}
        <pre tabindex="0" aria-label="Schema" id="schema-text">{{schemaText}}</pre>
        """
}
