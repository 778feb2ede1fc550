package import Records

/// The asset that an upload made, with the receipt that lets a record take it.
package struct SingleFileAnswer: Hashable, Sendable {
    package var asset: Asset

    package init(_ asset: Asset) {
        self.asset = asset
    }

    /// Reads a body. Throws `internalError` when it cannot be read.
    package init(bytes: [UInt8]) throws(RecordError) {
        do throws(RecordError) {
            asset = try Asset(JSONDocument(bytes, nesting: answerNesting).root.required("singleFile"))
        } catch {
            throw error.asUnreadableAnswer
        }
    }

    /// The body as the server sends it.
    package func encoded() -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("singleFile")
        asset.write(to: &json)
        json.endObject()
        return json.bytes
    }
}
