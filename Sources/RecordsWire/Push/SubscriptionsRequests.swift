package import Records

/// Requests all subscriptions of a person in a database.
package struct SubscriptionsListRequest: WireRequest {
    package init() {}

    package init(_ body: JSONNode, limits: Limits) throws(RecordError) {}

    package func write(to json: inout JSONWriter) {}
}

/// Requests subscriptions by ID.
package struct SubscriptionsLookupRequest: WireRequest {
    package var ids: [String]

    package init(_ ids: [String]) {
        self.ids = ids
    }

    /// Accepts dictionaries, as documented, and plain IDs, as some clients send them.
    package init(_ body: JSONNode, limits: Limits) throws(RecordError) {
        ids = try body.list(
            "subscriptions", atMost: limits.subscriptions, next: "name them in several requests"
        ) { (node) throws(RecordError) in
            if let id = node.stringValue { return id }
            return try node.object().required("subscriptionID").string()
        }
    }

    package func write(to json: inout JSONWriter) {
        json.list("subscriptions", ids) { id, json in
            json.beginObject()
            json.member("subscriptionID", id)
            json.endObject()
        }
    }
}

/// Creates, replaces and deletes subscriptions.
package struct SubscriptionsModifyRequest: WireRequest {
    package var operations: [SubscriptionOperation]

    package init(_ operations: [SubscriptionOperation]) {
        self.operations = operations
    }

    package init(_ body: JSONNode, limits: Limits) throws(RecordError) {
        operations = try body.list(
            "operations", atMost: limits.subscriptions, next: "send them in several requests"
        ) { (node) throws(RecordError) in
            let type = try node.object().required("operationType")
            let subscription = try node.required("subscription")
            switch try type.string() {
            case "create": return .create(try Subscription(subscription, limits: limits))
            case "update": return .update(try Subscription(subscription, limits: limits))
            case "delete": return .delete(try subscription.object().required("subscriptionID").string())
            default: throw type.unexpected(nextStep: "use create, update or delete")
            }
        }
    }

    package func write(to json: inout JSONWriter) {
        json.list("operations", operations) { operation, json in
            json.beginObject()
            switch operation {
            case .create(let subscription):
                json.member("operationType", "create")
                json.key("subscription")
                subscription.write(to: &json)
            case .update(let subscription):
                json.member("operationType", "update")
                json.key("subscription")
                subscription.write(to: &json)
            case .delete(let id):
                json.member("operationType", "delete")
                json.key("subscription")
                json.beginObject()
                json.member("subscriptionID", id)
                json.endObject()
            }
            json.endObject()
        }
    }
}
