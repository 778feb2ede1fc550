package import Records

/// Assets with receipts, or errors, in the order of the request.
package struct AssetsRereferenceAnswer: Hashable, Sendable {
    package var assets: [Result<Asset, RecordError>]

    package init(_ assets: [Result<Asset, RecordError>]) {
        self.assets = assets
    }

    /// Decodes a body. Throws `internalError` if the body as a whole cannot be read.
    package init(bytes: [UInt8]) throws(RecordError) {
        do throws(RecordError) {
            assets = try JSONDocument(bytes, nesting: answerNesting).root.list("assets") {
                (node) throws(RecordError) in
                if node["serverErrorCode"] != nil { return .failure(RecordError(node)) }
                return .success(try Asset(node))
            }
        } catch {
            throw error.asUnreadableAnswer
        }
    }

    /// Encodes the body of the answer.
    package func encoded(in context: AnswerContext) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.list("assets", assets) { entry, json in
            switch entry {
            case .success(let asset): asset.write(to: &json)
            case .failure(let error):
                json.beginObject()
                error.writeMembers(to: &json, in: context)
                json.endObject()
            }
        }
        json.endObject()
        return json.bytes
    }
}
