extension Template {
    /// The form for a new record, or the choice of its type.
    static let newRecord = """
        {{^recordType}}
        <p>Choose a record type.</p>
        <ul>{{#typeLinks}}<li><a href="{{href}}">{{label}}</a></li>{{/typeLinks}}</ul>
        <p class="pages">{{#pages}}<a href="{{href}}">{{label}}</a> {{/pages}}</p>
        {{/recordType}}
        {{#recordType}}
        <form method="post" action="{{action}}" class="form" enctype="multipart/form-data">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <label for="record-name">Record name</label>
        <p class="hint" id="record-name-hint">Left empty, the server chooses one.</p>
        <input id="record-name" name="name" value="{{typedName}}" autocapitalize="none" spellcheck="false"
          aria-describedby="record-name-hint">
        {{#range}}<p class="hint" id="range">Fields {{.}}. Create the record with these; its page then has the
          others.</p>{{/range}}
        \(inputs)
        <button name="action" value="create" id="create">Create</button>
        </form>
        {{/recordType}}
        """
}
