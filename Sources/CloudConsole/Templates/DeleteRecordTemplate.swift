extension Template {
    /// The question before a record is deleted.
    static let deleteRecord = """
        <p>A record of the type {{recordType}}.</p>
        {{#isMore}}<p class="hint">Only the first records that refer to it are listed.</p>{{/isMore}}
        <h2>Would be deleted along with it</h2>
        <ul id="along">{{#along}}<li><a href="{{href}}"><bdi>{{label}}</bdi></a></li>{{/along}}
        {{^along}}<li>Nothing that an index shows.</li>{{/along}}</ul>
        <h2>Keep it from being deleted</h2>
        <ul id="against">{{#against}}<li><a href="{{href}}"><bdi>{{label}}</bdi></a></li>{{/against}}
        {{^against}}<li>Nothing that an index shows.</li>{{/against}}</ul>
        <form method="post" action="{{action}}">
        <input type="hidden" name="proof" value="{{proof}}"><input type="hidden" name="tag" value="{{tag}}">
        <button class="danger" name="action" value="delete" id="delete">Delete</button>
        <a href="{{backHref}}">Keep it</a>
        </form>
        """
}
