import Records

extension NotificationInfo {
    /// Decodes the dictionary, including keys that only the CloudKit framework has.
    init(_ node: JSONNode, _ limits: Limits? = nil) throws(RecordError) {
        let node = try node.object()
        let limit = limits?.keysPerRequest ?? .max
        self.init()
        alert = Text(
            try node["alertBody"]?.string(), key: try node["alertLocalizationKey"]?.string(),
            arguments: try node.strings("alertLocalizationArgs", atMost: limit) ?? []
        )
        title = Text(
            try node["title"]?.string(), key: try node["titleLocalizationKey"]?.string(),
            arguments: try node.strings("titleLocalizationArgs", atMost: limit) ?? []
        )
        subtitle = Text(
            try node["subtitle"]?.string(), key: try node["subtitleLocalizationKey"]?.string(),
            arguments: try node.strings("subtitleLocalizationArgs", atMost: limit) ?? []
        )
        actionKey = try node["alertActionLocalizationKey"]?.string()
        launchImage = try node["alertLaunchImage"]?.string()
        sound = try node["soundName"]?.string()
        category = try node["category"]?.string()
        collapseKey = try node["collapseIDKey"]?.string()
        additionalFields = try node.strings("additionalFields", atMost: limit) ?? []
        shouldBadge = try node.flag("shouldBadge")
        shouldSendContentAvailable = try node.flag("shouldSendContentAvailable")
        shouldSendMutableContent = try node.flag("shouldSendMutableContent")
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("alertBody", alert.text)
        json.member("alertLocalizationKey", alert.key)
        json.member("alertLocalizationArgs", alert.arguments.listed)
        json.member("title", title.text)
        json.member("titleLocalizationKey", title.key)
        json.member("titleLocalizationArgs", title.arguments.listed)
        json.member("subtitle", subtitle.text)
        json.member("subtitleLocalizationKey", subtitle.key)
        json.member("subtitleLocalizationArgs", subtitle.arguments.listed)
        json.member("alertActionLocalizationKey", actionKey)
        json.member("alertLaunchImage", launchImage)
        json.member("soundName", sound)
        json.member("category", category)
        json.member("collapseIDKey", collapseKey)
        json.member("additionalFields", additionalFields.listed)
        json.flag("shouldBadge", shouldBadge)
        json.flag("shouldSendContentAvailable", shouldSendContentAvailable)
        json.flag("shouldSendMutableContent", shouldSendMutableContent)
        json.endObject()
    }
}

extension [String] {
    /// The array, or nil if it is empty, so that the member is omitted.
    var listed: [String]? { isEmpty ? nil : self }
}
