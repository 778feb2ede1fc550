package import Records

/// Requests the changes of several zones.
package struct ChangesZoneRequest: WireRequest {
    package var zones: [ZoneFeed]

    package init(_ zones: [ZoneFeed]) {
        self.zones = zones
    }

    /// Decodes the body. Options next to the list apply to every zone without its own.
    package init(_ body: JSONNode, limits: Limits) throws(RecordError) {
        let defaults = try ZoneFeed.Options(body, limits)
        zones = try body.list(
            "zones", atMost: limits.zonesPerRequest, next: "name them in several requests"
        ) { (node) throws(RecordError) in
            try ZoneFeed(node, defaults: defaults, limits: limits)
        }
    }

    package func write(to json: inout JSONWriter) {
        json.list("zones", zones) { feed, json in
            json.beginObject()
            feed.writeMembers(to: &json)
            json.endObject()
        }
    }
}
