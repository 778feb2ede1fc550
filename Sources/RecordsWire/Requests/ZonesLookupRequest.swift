package import Records

/// Requests zones by ID.
package struct ZonesLookupRequest: WireRequest {
    package var zones: [ZoneID]

    package init(_ zones: [ZoneID]) {
        self.zones = zones
    }

    /// Accepts zone IDs, as documented, and objects with a `zoneID`.
    package init(_ body: JSONNode, limits: Limits) throws(RecordError) {
        zones = try body.list(
            "zones", atMost: limits.zonesPerRequest, next: "name them in several requests"
        ) { (node) throws(RecordError) in
            try ZoneID(node["zoneID"] ?? node)
        }
    }

    package func write(to json: inout JSONWriter) {
        json.list("zones", zones) { $0.write(to: &$1) }
    }
}
