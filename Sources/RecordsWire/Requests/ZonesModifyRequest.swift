package import Records

/// Creates and deletes zones.
package struct ZonesModifyRequest: WireRequest {
    package var operations: [ZoneOperation]

    package init(_ operations: [ZoneOperation]) {
        self.operations = operations
    }

    package init(_ body: JSONNode, limits: Limits) throws(RecordError) {
        operations = try body.list(
            "operations", atMost: limits.zonesPerRequest, next: "name them in several requests"
        ) { (node) throws(RecordError) in
            let type = try node.object().required("operationType")
            let zone = try node.required("zone")
            let id = try ZoneID(zone["zoneID"] ?? zone)
            switch try type.string() {
            case "create": return .create(id)
            case "delete": return .delete(id)
            default: throw type.unexpected(nextStep: "use create or delete")
            }
        }
    }

    package func write(to json: inout JSONWriter) {
        json.list("operations", operations) { operation, json in
            json.beginObject()
            if case .create = operation {
                json.member("operationType", "create")
            } else {
                json.member("operationType", "delete")
            }
            json.key("zone")
            json.beginObject()
            json.member("zoneID", operation.zone)
            json.endObject()
            json.endObject()
        }
    }
}
