package import Records

/// Requests the notifications since a token.
package struct NotificationsRequest: WireRequest {
    package var token: ChangeToken?
    package var limit: Int?

    package init(token: ChangeToken? = nil, limit: Int? = nil) {
        self.token = token
        self.limit = limit
    }

    package init(_ body: JSONNode, limits: Limits) throws(RecordError) {
        token = try body.token("syncToken")
        limit = try body["resultsLimit"]?.int()
    }

    package func write(to json: inout JSONWriter) {
        json.member("syncToken", base64: token?.bytes)
        json.member("resultsLimit", limit.map(Int64.init))
    }
}

/// One page of notifications in the form of pushes, oldest first.
package struct NotificationsAnswer: Hashable, Sendable {
    package var notifications: [PushMessage]
    package var token: ChangeToken
    package var moreComing: Bool

    package init(_ notifications: [PushMessage], token: ChangeToken, moreComing: Bool) {
        self.notifications = notifications
        self.token = token
        self.moreComing = moreComing
    }

    /// Decodes a body. Throws `internalError` if it cannot be read.
    package init(bytes: [UInt8]) throws(RecordError) {
        do throws(RecordError) {
            let node = try JSONDocument(bytes).root.object()
            notifications = try node.list("notifications") { (node) throws(RecordError) in
                try PushMessage(node)
            }
            guard let token = try node.token("syncToken") else { throw node.missing("syncToken") }
            self.token = token
            moreComing = try node.flag("moreComing")
        } catch {
            throw error.asUnreadableAnswer
        }
    }

    package func encoded() -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.list("notifications", notifications) { $0.write(to: &$1) }
        json.member("syncToken", base64: token.bytes)
        json.member("moreComing", moreComing)
        json.endObject()
        return json.bytes
    }
}

/// Marks notifications as read. The answer contains those that exist.
package struct NotificationsReadRequest: WireRequest {
    package var ids: [String]

    package init(_ ids: [String]) {
        self.ids = ids
    }

    package init(_ body: JSONNode, limits: Limits) throws(RecordError) {
        let ids = try body.strings(
            "notificationIDs", atMost: limits.recordsPerResponse, next: "mark them in several requests")
        guard let ids else { throw body.missing("notificationIDs") }
        self.ids = ids
    }

    package func write(to json: inout JSONWriter) {
        json.member("notificationIDs", ids)
    }
}

/// Sets the badge of the app's icon.
package struct BadgeRequest: WireRequest {
    package var value: Int

    package init(_ value: Int) {
        self.value = value
    }

    package init(_ body: JSONNode, limits: Limits) throws(RecordError) {
        let node = try body.required("badge")
        value = try node.int()
        if value < 0 { throw node.unexpected(nextStep: "use a number of 0 or more") }
    }

    package func write(to json: inout JSONWriter) {
        json.member("badge", Int64(value))
    }
}
