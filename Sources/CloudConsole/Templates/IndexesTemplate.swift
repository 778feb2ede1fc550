extension Template {
    /// The indexes of one field, with a review of what dropping each of them frees.
    static let indexes = """
        <p>A field of the record type <a href="{{typeHref}}">{{type}}</a>. Its entries take up
        <strong id="size">{{size}}</strong> in the public database. They do not count for the quota, but use
        the disk and the time of every save.</p>
        {{#wordSize}}<p>The words of all searchable fields of the type take up <strong>{{.}}</strong>
        together.</p>{{/wordSize}}
        <div class="wide"><table id="indexes"><thead><tr><th scope="col">Index</th>
        <th scope="col">Dropping it frees in the public database</th>
        {{#mayDrop}}<th scope="col">Change</th>{{/mayDrop}}</tr></thead><tbody>
        {{#rows}}<tr><th scope="row">{{index}}</th><td>{{frees}}</td>
        {{#mayDrop}}<td><form method="post" action="{{typeHref}}">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <input type="hidden" name="field" value="{{field}}"><input type="hidden" name="reviewed" value="1">
        {{#present}}<input type="hidden" name="was" value="{{.}}">{{/present}}
        {{#kept}}<input type="hidden" name="index" value="{{.}}">{{/kept}}
        <button class="danger" name="action" value="indexes" id="{{id}}"
          aria-label="Drop the index {{index}} of {{field}}">Drop</button>
        </form></td>{{/mayDrop}}</tr>{{/rows}}
        {{^rows}}<tr><td colspan="3">The field has no index.</td></tr>{{/rows}}
        </tbody></table></div>
        <p class="hint">Queries that need a dropped index fail; the values stay in the records, and an index
        that is added again is built from them. A private database frees the space of its own entries, too.
        What is free is used for the next records; the files on the disk do not get smaller. In production,
        indexes are dropped by deploying the schema.</p>
        """
}
