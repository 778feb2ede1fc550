package import Records

extension Subscription {
    /// Decodes a subscription dictionary. `limits` is nil for stored subscriptions and answers, whose lists
    /// may have any length.
    package init(_ node: JSONNode, limits: Limits? = nil) throws(RecordError) {
        let dictionary = try node.object()
        let zone = try dictionary.zone("zoneID")
        let type = dictionary["subscriptionType"]
        let kind: Kind
        switch try type?.string() ?? (dictionary["query"] == nil ? "database" : "query") {
        case "query": kind = .query(try QueryTerms(dictionary, zone: zone, limits))
        case "zone":
            guard let zone else { throw dictionary.missing("zoneID") }
            kind = .zone(zone, recordType: try dictionary["recordType"]?.string())
        case "database": kind = .database(recordType: try dictionary["recordType"]?.string())
        default: throw (type ?? dictionary).unexpected(nextStep: "use query, zone or database")
        }
        self.init(
            id: try dictionary["subscriptionID"]?.string() ?? "", kind: kind,
            info: try dictionary["notificationInfo"].map { (node) throws(RecordError) in
                try NotificationInfo(node, limits)
            }
        )
    }

    /// Writes the dictionary. Zones without an owner get `zoneOwner`, if it is not nil.
    package func write(to json: inout JSONWriter, zoneOwner: String? = nil) {
        json.beginObject()
        json.member("subscriptionID", id)
        switch kind {
        case .query(let terms):
            json.member("subscriptionType", "query")
            json.key("query")
            terms.query.write(to: &json)
            json.member("firesOn", terms.firesOn.sorted { $0.rawValue < $1.rawValue }.map(\.name))
            json.flag("firesOnce", terms.firesOnce)
            json.member("zoneID", terms.zone?.owned(by: zoneOwner))
            json.member("zoneWide", terms.zone == nil)
        case .zone(let zone, let recordType):
            json.member("subscriptionType", "zone")
            json.member("zoneID", zone.owned(by: zoneOwner))
            json.member("recordType", recordType)
        case .database(let recordType):
            json.member("subscriptionType", "database")
            json.member("recordType", recordType)
        }
        if let info {
            json.key("notificationInfo")
            info.write(to: &json)
        }
        json.endObject()
    }
}

extension Subscription.QueryTerms {
    fileprivate init(_ node: JSONNode, zone: ZoneID?, _ limits: Limits?) throws(RecordError) {
        let events = try node.list(
            "firesOn", atMost: limits?.keysPerRequest ?? .max, next: "name each event once"
        ) { (element) throws(RecordError) -> Subscription.Event in
            switch try element.string() {
            case "create": return .create
            case "update": return .update
            case "delete": return .delete
            default: throw element.unexpected(nextStep: "use create, update or delete")
            }
        }
        self.init(
            try Query(node.required("query"), home: zone, limits), firesOn: Set(events),
            firesOnce: try node.flag("firesOnce"), zone: zone
        )
    }
}

extension Subscription.Event {
    package var name: String {
        switch self {
        case .create: "create"
        case .update: "update"
        case .delete: "delete"
        }
    }
}

extension ZoneID {
    fileprivate func owned(by owner: String?) -> ZoneID {
        ZoneID(name: name, owner: self.owner ?? owner)
    }
}
