extension Template {
    /// The question before a record is deleted.
    static let deleteRecord = """
        <p>A record of the type {{recordType}}.</p>
        {{#isMore}}<p class="hint">Only the first records that refer to it are listed.</p>{{/isMore}}
        <h2>Would be deleted along with it</h2>
        <ul id="deletedTogether">{{#deletedTogether}}<li><a href="{{href}}"><bdi>{{label}}</bdi></a></li>
        {{/deletedTogether}}{{^deletedTogether}}<li>Nothing that an index shows.</li>{{/deletedTogether}}</ul>
        <h2>Keep it from being deleted</h2>
        <ul id="preventingDeletion">{{#preventingDeletion}}
        <li><a href="{{href}}"><bdi>{{label}}</bdi></a></li>
        {{/preventingDeletion}}{{^preventingDeletion}}<li>Nothing that an index shows.</li>
        {{/preventingDeletion}}</ul>
        <form method="post" action="{{action}}">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <input type="hidden" name="tag" value="{{tag}}">
        <button class="danger" name="action" value="delete" id="delete">Delete</button>
        <a href="{{backHref}}">Keep it</a>
        </form>
        """
}
