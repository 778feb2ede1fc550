package import Records

/// The requested subscriptions, one entry for each, in order.
package struct SubscriptionsAnswer: Hashable, Sendable {
    package var subscriptions: [SubscriptionResult]

    package init(_ subscriptions: [SubscriptionResult]) {
        self.subscriptions = subscriptions
    }

    /// Decodes a body. Throws `internalError` if it cannot be read.
    package init(bytes: [UInt8]) throws(RecordError) {
        do throws(RecordError) {
            subscriptions = try JSONDocument(bytes, nesting: answerNesting).root.list("subscriptions") {
                SubscriptionResult($0)
            }
        } catch {
            throw error.asUnreadableAnswer
        }
    }

    /// Encodes the body of the answer.
    package func encoded(in context: AnswerContext, zoneOwner: String?) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.list("subscriptions", subscriptions) { result, json in
            result.write(to: &json, in: context, zoneOwner: zoneOwner)
        }
        json.endObject()
        return json.bytes
    }
}

extension SubscriptionResult {
    /// Decodes a subscription dictionary, a deletion or an error.
    fileprivate init(_ node: JSONNode) {
        let id = (node["subscriptionID"] ?? node["subscriptionId"])?.stringValue ?? ""
        do throws(RecordError) {
            if node["serverErrorCode"] != nil {
                self = .failure(id, RecordError(node))
            } else if try node.flag("deleted") {
                self = .deleted(id)
            } else {
                self = .subscription(try Subscription(node))
            }
        } catch {
            self = .failure(id, error.asUnreadableAnswer)
        }
    }

    fileprivate func write(to json: inout JSONWriter, in context: AnswerContext, zoneOwner: String?) {
        switch self {
        case .subscription(let subscription): subscription.write(to: &json, zoneOwner: zoneOwner)
        case .deleted(let id):
            json.beginObject()
            json.member("subscriptionID", id)
            json.member("deleted", true)
            json.endObject()
        case .failure(let id, let error):
            json.beginObject()
            json.member("subscriptionID", id)
            error.writeMembers(to: &json, in: context)
            json.endObject()
        }
    }
}
