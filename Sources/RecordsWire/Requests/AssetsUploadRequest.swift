// Owns the body of assets/upload.

package import Records

/// Asks for addresses to which files can be sent (sheet 4).
package struct AssetsUploadRequest: WireRequest {
    /// The place in a record that one file is meant for.
    package struct Token: Hashable, Sendable {
        /// nil asks the server for a name.
        package var recordName: String?
        package var recordType: String?
        package var fieldName: String

        package init(recordName: String? = nil, recordType: String? = nil, fieldName: String) {
            self.recordName = recordName
            self.recordType = recordType
            self.fieldName = fieldName
        }
    }

    package var tokens: [Token]
    /// nil: the default zone.
    package var zone: ZoneID?

    package init(_ tokens: [Token], zone: ZoneID? = nil) {
        self.tokens = tokens
        self.zone = zone
    }

    package init(_ body: JSONNode) throws(RecordError) {
        zone = try body.zone("zoneID")
        tokens = try body.list("tokens") { (node) throws(RecordError) in
            let dictionary = try node.object()
            return Token(
                recordName: try dictionary["recordName"]?.string(),
                recordType: try dictionary["recordType"]?.string(),
                fieldName: try dictionary.required("fieldName").string()
            )
        }
    }

    package func write(to json: inout JSONWriter) {
        json.member("zoneID", zone)
        json.list("tokens", tokens) { token, json in
            json.beginObject()
            json.member("recordName", token.recordName)
            json.member("recordType", token.recordType)
            json.member("fieldName", token.fieldName)
            json.endObject()
        }
    }
}
