import Records

extension PushPresentation {
    /// Decodes an `aps` dictionary. Unknown members are ignored, and the alert may be a plain string.
    init(_ node: JSONNode) throws(RecordError) {
        self.init()
        if let alert = node["alert"] {
            if let text = alert.stringValue {
                self.alert.text = text
            } else {
                self.alert = try Text(alert, "body", "loc-key", "loc-args")
                title = try Text(alert, "title", "title-loc-key", "title-loc-args")
                subtitle = try Text(alert, "subtitle", "subtitle-loc-key", "subtitle-loc-args")
                actionKey = try alert["action-loc-key"]?.string()
                launchImage = try alert["launch-image"]?.string()
            }
        }
        sound = node["sound"]?.stringValue
        category = node["category"]?.stringValue
        raisesBadge = node["badge"] != nil
        isContentAvailable = node["content-available"]?.int64Value == 1
        hasMutableContent = node["mutable-content"]?.int64Value == 1
        collapseID = node["collapse-id"]?.stringValue
    }

    /// Writes the stored form: a badge without its number.
    func write(to json: inout JSONWriter) {
        write(to: &json, badge: raisesBadge ? 0 : nil)
    }

    /// Writes the dictionary with the number for the app's icon.
    func write(to json: inout JSONWriter, badge: Int?) {
        json.beginObject()
        let hasAlert =
            !alert.isEmpty || !title.isEmpty || !subtitle.isEmpty || actionKey != nil || launchImage != nil
        if hasAlert {
            json.key("alert")
            json.beginObject()
            alert.write(to: &json, "body", "loc-key", "loc-args")
            title.write(to: &json, "title", "title-loc-key", "title-loc-args")
            subtitle.write(to: &json, "subtitle", "subtitle-loc-key", "subtitle-loc-args")
            json.member("action-loc-key", actionKey)
            json.member("launch-image", launchImage)
            json.endObject()
        }
        json.member("badge", badge.map(Int64.init))
        json.member("sound", sound)
        json.member("category", category)
        if isContentAvailable { json.member("content-available", Int64(1)) }
        if hasMutableContent { json.member("mutable-content", Int64(1)) }
        json.member("collapse-id", collapseID)
        json.endObject()
    }
}

extension PushPresentation.Text {
    fileprivate init(
        _ node: JSONNode, _ text: StaticString, _ key: StaticString, _ arguments: StaticString
    ) throws(RecordError) {
        self.init(
            try node[text]?.string(), key: try node[key]?.string(),
            arguments: try node[arguments]?.strings() ?? []
        )
    }

    fileprivate func write(
        to json: inout JSONWriter, _ text: StaticString, _ key: StaticString, _ arguments: StaticString
    ) {
        json.member(text, self.text)
        json.member(key, self.key)
        json.member(arguments, self.arguments.listed)
    }
}
