package import Records

/// Requests upload URLs (CloudKit Web Services Reference, *Uploading Assets*).
package struct AssetsUploadRequest: WireRequest {
    /// The record and field for one file.
    package struct Token: Hashable, Sendable {
        /// The record's name; nil lets the server choose one.
        package var recordName: String?
        package var recordType: String?
        package var fieldName: String
        /// The file's checksum and size. A Cloudlet extension: if the server already has the bytes, no upload
        /// is needed.
        package var content: Asset?

        package init(
            recordName: String? = nil, recordType: String? = nil, fieldName: String, content: Asset? = nil
        ) {
            self.recordName = recordName
            self.recordType = recordType
            self.fieldName = fieldName
            self.content = content
        }
    }

    package var tokens: [Token]
    /// The records' zone; nil: the default zone.
    package var zone: ZoneID?

    package init(_ tokens: [Token], zone: ZoneID? = nil) {
        self.tokens = tokens
        self.zone = zone
    }

    package init(_ body: JSONNode, limits: Limits) throws(RecordError) {
        zone = try body.zone("zoneID")
        tokens = try body.list(
            "tokens", atMost: limits.tokensPerRequest, next: "ask for them in several requests"
        ) { (node) throws(RecordError) in
            let dictionary = try node.object()
            return Token(
                recordName: try dictionary["recordName"]?.string(),
                recordType: try dictionary["recordType"]?.string(),
                fieldName: try dictionary.required("fieldName").string(),
                content: Self.content(dictionary)
            )
        }
    }

    /// The checksum and size in a token; nil unless both are present.
    private static func content(_ token: JSONNode) -> Asset? {
        guard let checksum = token["fileChecksum"]?.stringValue, let size = token["size"]?.int64Value else {
            return nil
        }
        return Asset(fileChecksum: checksum, size: size)
    }

    package func write(to json: inout JSONWriter) {
        json.member("zoneID", zone)
        json.list("tokens", tokens) { token, json in
            json.beginObject()
            json.member("recordName", token.recordName)
            json.member("recordType", token.recordType)
            json.member("fieldName", token.fieldName)
            json.member("fileChecksum", token.content?.fileChecksum)
            json.member("size", token.content?.size)
            json.endObject()
        }
    }
}
