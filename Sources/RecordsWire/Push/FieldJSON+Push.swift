package import Records

extension FieldJSON {
    package func encode(_ subscription: Subscription) -> [UInt8] {
        var json = JSONWriter()
        subscription.write(to: &json)
        return json.bytes
    }

    package func subscription(_ bytes: [UInt8]) throws(RecordError) -> Subscription {
        do throws(RecordError) {
            return try Subscription(try JSONDocument(bytes).root)
        } catch {
            throw RecordError(.internalError, "a stored subscription is damaged", culprit: error.culprit)
        }
    }

    package func encode(_ notification: PushNotification) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("id", notification.id)
        json.member("subscription", notification.subscriptionID)
        notification.cause.write(to: &json)
        json.member("at", notification.origin.at.milliseconds)
        json.member("by", notification.origin.by)
        json.member("device", notification.origin.device)
        json.key("look")
        notification.presentation.write(to: &json)
        json.endObject()
        return json.bytes
    }

    package func notification(_ bytes: [UInt8]) throws(RecordError) -> PushNotification {
        do throws(RecordError) {
            let node = try JSONDocument(bytes).root.object()
            let stamp = Stamp(
                at: Timestamp(milliseconds: Int64(try node.required("at").int())),
                by: try node.required("by").string(), device: try node["device"]?.string()
            )
            return PushNotification(
                id: try node.required("id").string(),
                subscriptionID: try node.required("subscription").string(),
                cause: try PushNotification.Cause(node),
                presentation: try PushPresentation(node.required("look")),
                origin: stamp
            )
        } catch {
            throw RecordError(.internalError, "a stored notification is damaged", culprit: error.culprit)
        }
    }
}

extension PushNotification.Cause {
    fileprivate init(_ node: JSONNode) throws(RecordError) {
        if let name = node["record"] {
            let zone = try ZoneID(node.required("zone"))
            let event = try node.required("event")
            guard let kind = UInt8(exactly: try event.int()).flatMap(Subscription.Event.init(rawValue:))
            else {
                throw event.unexpected()
            }
            let fields = try FieldChanges(node.required("fields"), home: nil).fields
            self = .query(RecordID(name: try name.string(), zone: zone), kind, fields: fields)
        } else if let zone = node["zone"] {
            self = .zone(try ZoneID(zone))
        } else {
            self = try node.flag("isRead") ? .read : .database
        }
    }

    fileprivate func write(to json: inout JSONWriter) {
        switch self {
        case .query(let record, let event, let fields):
            json.member("record", record.name)
            json.member("zone", record.zone)
            json.member("event", Int64(event.rawValue))
            json.key("fields")
            json.value(FieldJSON().encode(fields).bytes)
        case .zone(let zone): json.member("zone", zone)
        case .database: break
        case .read: json.member("isRead", true)
        }
    }
}
