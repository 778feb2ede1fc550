package import Records

/// The upload URLs, in the order of the request (CloudKit Web Services Reference, *Uploading Assets*).
package struct AssetsUploadAnswer: Hashable, Sendable {
    /// An upload URL with the record and field of its file.
    package struct Token: Hashable, Sendable {
        package var recordName: String
        package var fieldName: String
        package var url: String
        /// The asset with its receipt if the server already has the bytes, so that no upload is needed. A
        /// Cloudlet extension.
        package var asset: Asset?

        package init(recordName: String, fieldName: String, url: String, asset: Asset? = nil) {
            self.recordName = recordName
            self.fieldName = fieldName
            self.url = url
            self.asset = asset
        }
    }

    package var tokens: [Token]

    package init(_ tokens: [Token]) {
        self.tokens = tokens
    }

    /// Decodes a body. Throws the error of the first token that the server rejected.
    package init(bytes: [UInt8]) throws(RecordError) {
        let entries: [Result<Token, RecordError>]
        do throws(RecordError) {
            entries = try JSONDocument(bytes, nesting: answerNesting).root.list("tokens") {
                (node) throws(RecordError) in
                if node["serverErrorCode"] != nil { return .failure(RecordError(node)) }
                return .success(
                    Token(
                        recordName: try node.required("recordName").string(),
                        fieldName: try node.required("fieldName").string(),
                        url: try node.required("url").string(),
                        asset: try node["singleFile"].map { (node) throws(RecordError) in try Asset(node) }
                    )
                )
            }
        } catch {
            throw error.asUnreadableAnswer
        }
        tokens = []
        for entry in entries { tokens.append(try entry.get()) }
    }

    /// Encodes the body of the answer.
    package func encoded() -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.list("tokens", tokens) { token, json in
            json.beginObject()
            json.member("recordName", token.recordName)
            json.member("fieldName", token.fieldName)
            json.member("url", token.url)
            if let asset = token.asset {
                json.key("singleFile")
                asset.write(to: &json)
            }
            json.endObject()
        }
        json.endObject()
        return json.bytes
    }
}
