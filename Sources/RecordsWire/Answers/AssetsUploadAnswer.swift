package import Records

/// The addresses to which files can be sent, in the order of the request.
package struct AssetsUploadAnswer: Hashable, Sendable {
    /// An address, and the place in a record that its file is meant for.
    package struct Token: Hashable, Sendable {
        package var recordName: String
        package var fieldName: String
        package var url: String
        /// What an upload would have answered, when the server has the bytes and it can be spared
        /// (Cloudlet's own).
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

    /// Reads a body. Throws the error of the first token that was refused.
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

    /// The body as the server sends it.
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
