extension Template {
    /// The inputs of a record's fields.
    static let inputs = """
        {{#inputs}}
        <label for="{{id}}">{{name}} <span class="quiet">{{inputType}}</span></label>
        {{#whyReadOnly}}<p class="hint" id="{{id}}">{{.}}</p>{{/whyReadOnly}}
        {{#file}}
        {{#note}}<p class="hint">{{.}}</p>{{/note}}
        {{#elements}}
        <p class="hint">{{state}}{{#downloadHref}} <a href="{{.}}" download>Download</a>{{/downloadHref}}</p>
        {{#imageHref}}<img class="preview" src="{{.}}" alt="">{{/imageHref}}
        {{#mayChange}}<label class="choice"><input type="checkbox" name="{{removeName}}" value="1">
        {{removeLabel}}</label>{{/mayChange}}
        {{/elements}}
        {{#hiddenFiles}}<p class="hint">and {{.}} more, which stay as they are</p>{{/hiddenFiles}}
        {{#isList}}<p class="hint">Chosen files are added to the end of the list.</p>{{/isList}}
        <input id="{{id}}" name="{{fileName}}" type="file"{{#isList}} multiple{{/isList}}{{^mayChange}}
          disabled{{/mayChange}}>
        {{/file}}
        {{^file}}{{^whyReadOnly}}
        {{#isLong}}<textarea id="{{id}}" name="{{name}}" rows="2" spellcheck="false"{{^mayChange}}
          readonly{{/mayChange}}>
        {{text}}</textarea>{{/isLong}}
        {{^isLong}}<input id="{{id}}" name="{{name}}" value="{{text}}" spellcheck="false"{{^mayChange}}
          readonly{{/mayChange}}>{{/isLong}}
        {{#targets}}<p class="hint">Go to <a href="{{href}}"><bdi>{{label}}</bdi></a></p>{{/targets}}
        {{#isReference}}<select name="{{actionName}}" aria-label="What {{name}} does"{{^mayChange}}
          disabled{{/mayChange}}>
        {{#actions}}<option value="{{value}}"{{#isSelected}}
          selected{{/isSelected}}>{{label}}</option>{{/actions}}
        </select>{{/isReference}}
        {{/whyReadOnly}}{{/file}}
        {{/inputs}}
        <p class="hint">An empty input is no value. The elements of a list stand on lines of their own; [] is
          an
        empty list.</p>
        """

    /// One record.
    static let record = """
        <p>Record type <a href="{{typeHref}}">{{recordType}}</a></p>
        {{#range}}<p class="hint" id="range">Fields {{.}}. Save before you go to others.</p>{{/range}}
        <p class="pages">{{#pages}}<a href="{{href}}">{{label}} fields</a> {{/pages}}</p>
        {{#mayChange}}<form method="post" action="{{action}}" class="form" enctype="multipart/form-data">
        <input type="hidden" name="csrfToken" value="{{csrfToken}}">
        <input type="hidden" name="tag" value="{{tag}}">{{/mayChange}}
        {{^mayChange}}<div class="form">{{/mayChange}}
        \(inputs)
        {{#mayChange}}<button name="action" value="save" id="save">Save</button>
        </form>{{/mayChange}}{{^mayChange}}</div>{{/mayChange}}
        {{#mayChange}}<p><a href="{{deleteHref}}" id="delete-record">Delete this record
          …</a></p>{{/mayChange}}
        <h2>System fields</h2>
        <div class="wide"><table><tbody>
        {{#system}}<tr><th scope="row">{{systemName}}</th><td>{{systemText}}</td></tr>{{/system}}
        </tbody></table></div>
        """
}
