package import Records

extension PushMessage {
    /// Encodes the payload, and removes parts until it fits into `limit` bytes.
    package func encoded(limit: Int = .max) -> [UInt8] {
        var message = self
        var bytes = message.serialized()
        for step in PruningStep.allCases where bytes.count > limit {
            guard message.prune(step) else { continue }
            bytes = message.serialized()
        }
        return bytes
    }

    /// Decodes a payload. Throws `badRequest` if it is not a CloudKit push.
    package init(bytes: [UInt8]) throws(RecordError) {
        try self.init(try JSONDocument(bytes).root.object())
    }

    package init(_ node: JSONNode) throws(RecordError) {
        let ck = try node.required("ck").object()
        let user = try ck["ckuserid"]?.string() ?? ""
        var presentation = PushPresentation()
        if let aps = node["aps"] { presentation = try PushPresentation(aps) }
        let origin = Stamp(
            at: Timestamp(milliseconds: ck["aux"]?["at"]?.int64Value ?? 0), by: "",
            device: nil
        )
        let (cause, part) = try Self.cause(ck)
        let scope = part?["dbs"]?.int64Value.flatMap(DatabaseKind.init(scope:))
        self.init(
            container: try ck["cid"]?.string() ?? "",
            environment: ck["aux"]?["env"]?.stringValue == "production" ? .production : .development,
            user: user, database: scope ?? .public,
            notification: PushNotification(
                id: try ck["nid"]?.string() ?? "", subscriptionID: try part?["sid"]?.string() ?? "",
                cause: cause, presentation: presentation, origin: origin
            ),
            badge: node["aps"]?["badge"]?.int64Value.flatMap { Int(exactly: $0) }
        )
        isPruned = ck["p"] != nil
    }

    private static func cause(
        _ ck: JSONNode
    ) throws(RecordError) -> (PushNotification.Cause, JSONNode?) {
        if let part = ck["qry"] {
            let event = part["fo"]?.int64Value.flatMap { UInt8(exactly: $0) }.flatMap(
                Subscription.Event.init(rawValue:))
            let fields = try part["af"].map { (node) throws(RecordError) in try bareFields(node, ck["aux"]) }
            let record = RecordID(name: try part["rid"]?.string() ?? "", zone: try zone(part))
            return (.query(record, event ?? .update, fields: fields ?? Fields()), part)
        }
        if let part = ck["fet"] { return (.zone(try zone(part)), part) }
        if let part = ck["met"] { return (.database, part) }
        if ck["read"] != nil { return (.read, nil) }
        throw ck.missing("qry")
    }

    private static func zone(_ node: JSONNode) throws(RecordError) -> ZoneID {
        ZoneID(name: try node["zid"]?.string() ?? ZoneID.defaultName, owner: try node["zoid"]?.string())
    }

    /// Decodes values without types. The list `dates` distinguishes dates from numbers.
    private static func bareFields(
        _ node: JSONNode, _ aux: JSONNode?
    ) throws(RecordError) -> Fields {
        let reader = FieldReader(home: nil)
        let dates = Set(try aux?["dates"]?.strings() ?? [])
        var fields = Fields()
        for (key, value) in try node.object().members {
            let name = try key.string()
            guard var field = try reader.field(value) else { continue }
            if dates.contains(name), case .int64(let milliseconds) = field.value {
                field.value = .timestamp(Timestamp(milliseconds: milliseconds))
            }
            fields[name] = field
        }
        return fields
    }

    // MARK: Writing

    private func serialized() -> [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes
    }

    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("aps")
        notification.presentation.write(to: &json, badge: badge)
        json.key("ck")
        json.beginObject()
        json.member("ce", Int64(2))
        if !container.isEmpty { json.member("cid", container) }
        if !notification.id.isEmpty { json.member("nid", notification.id) }
        if !user.isEmpty { json.member("ckuserid", user) }
        if isPruned { json.member("p", Int64(1)) }
        writeDetails(to: &json)
        writeCause(to: &json)
        json.endObject()
        json.endObject()
    }

    private func writeDetails(to json: inout JSONWriter) {
        json.key("aux")
        json.beginObject()
        json.member("at", notification.origin.at.milliseconds)
        if environment == .production { json.member("env", "production") }
        if case .query(_, _, let fields) = notification.cause {
            let dates = fields.filter { $0.1.value.type == .scalar(.timestamp) }.map(\.0)
            json.member("dates", dates.listed)
        }
        json.endObject()
    }

    private func writeCause(to json: inout JSONWriter) {
        switch notification.cause {
        case .query(let record, let event, let fields):
            json.key("qry")
            json.beginObject()
            json.member("sid", notification.subscriptionID)
            if !record.name.isEmpty {
                json.member("rid", record.name)
                write(record.zone, to: &json)
                json.member("fo", Int64(event.rawValue))
            }
            json.member("dbs", database.scope)
            if !fields.isEmpty {
                json.key("af")
                json.beginObject()
                var writer = FieldWriter(form: .stored)
                for (name, field) in fields {
                    json.key(name)
                    writer.write(field.value, named: name, to: &json)
                }
                json.endObject()
            }
            json.endObject()
        case .zone(let zone):
            json.key("fet")
            json.beginObject()
            json.member("sid", notification.subscriptionID)
            if !zone.name.isEmpty { write(zone, to: &json) }
            json.member("dbs", database.scope)
            json.endObject()
        case .database:
            json.key("met")
            json.beginObject()
            json.member("sid", notification.subscriptionID)
            json.member("dbs", database.scope)
            json.endObject()
        case .read: json.member("read", Int64(1))
        }
    }

    private func write(_ zone: ZoneID, to json: inout JSONWriter) {
        json.member("zid", zone.name)
        json.member("zoid", zone.owner ?? (database == .public ? "_defaultOwner" : user))
    }
}

// MARK: - Pruning

/// The parts that are removed from a payload that is too large, the least important first.
private enum PruningStep: CaseIterable {
    case subtitle, title, owner, container, details, contentAvailable, launchImage, action, category, sound
    case arguments, alert, badge, id
}

extension PushMessage {
    /// Removes a part. Returns false if the message does not contain it.
    fileprivate mutating func prune(_ step: PruningStep) -> Bool {
        let before = self
        switch step {
        case .subtitle: notification.presentation.subtitle = PushPresentation.Text()
        case .title: notification.presentation.title = PushPresentation.Text()
        case .owner: user = ""
        case .container: container = ""
        case .details: pruneDetails()
        case .contentAvailable: notification.presentation.isContentAvailable = false
        case .launchImage: notification.presentation.launchImage = nil
        case .action: notification.presentation.actionKey = nil
        case .category: notification.presentation.category = nil
        case .sound: notification.presentation.sound = nil
        case .arguments: notification.presentation.alert.arguments = []
        case .alert: notification.presentation.alert = PushPresentation.Text()
        case .badge: badge = nil
        case .id: notification.id = ""
        }
        if self == before { return false }
        isPruned = true
        return true
    }

    private mutating func pruneDetails() {
        switch notification.cause {
        case .query(_, let event, _):
            notification.cause = .query(RecordID(name: ""), event, fields: Fields())
        case .zone: notification.cause = .zone(ZoneID(name: ""))
        case .database, .read: break
        }
    }
}

extension DatabaseKind {
    /// The database's number in a push.
    var scope: Int64 {
        switch self {
        case .public: 1
        case .private: 2
        case .shared: 3
        }
    }

    init?(scope: Int64) {
        switch scope {
        case 0, 1: self = .public
        case 2: self = .private
        case 3: self = .shared
        default: return nil
        }
    }
}
