package import Records

/// Requests receipts for assets that other records already have.
package struct AssetsRereferenceRequest: WireRequest {
    /// The record and field that have the asset.
    package struct Source: Hashable, Sendable {
        package var recordName: String
        package var fieldName: String

        package init(recordName: String, fieldName: String) {
            self.recordName = recordName
            self.fieldName = fieldName
        }
    }

    package var assets: [Source]
    /// The zone of these records; nil: the default zone.
    package var zone: ZoneID?
    /// The zone in which the receipts are used; nil: the same zone.
    package var targetZone: ZoneID?

    package init(_ assets: [Source], zone: ZoneID? = nil, targetZone: ZoneID? = nil) {
        self.assets = assets
        self.zone = zone
        self.targetZone = targetZone
    }

    package init(_ body: JSONNode, limits: Limits) throws(RecordError) {
        zone = try body.zone("zoneID")
        assets = try body.list(
            "assets", atMost: limits.tokensPerRequest, next: "ask for them in several requests"
        ) { (node) throws(RecordError) in
            let dictionary = try node.object()
            return Source(
                recordName: try dictionary.required("recordName").string(),
                fieldName: try dictionary.required("fieldName").string()
            )
        }
        targetZone = try body.zone("targetZoneID")
    }

    package func write(to json: inout JSONWriter) {
        json.member("zoneID", zone)
        json.list("assets", assets) { asset, json in
            json.beginObject()
            json.member("recordName", asset.recordName)
            json.member("fieldName", asset.fieldName)
            json.endObject()
        }
        json.member("targetZoneID", targetZone)
    }
}
