package import Records

/// The answer to an upload: the asset with its receipt, which a record save presents.
package struct SingleFileAnswer: Hashable, Sendable {
    package var asset: Asset

    package init(_ asset: Asset) {
        self.asset = asset
    }

    /// Decodes a body. Throws `internalError` if it cannot be read.
    package init(bytes: [UInt8]) throws(RecordError) {
        do throws(RecordError) {
            asset = try Asset(JSONDocument(bytes, nesting: answerNesting).root.required("singleFile"))
        } catch {
            throw error.asUnreadableAnswer
        }
    }

    /// Encodes the body of the answer.
    package func encoded() -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("singleFile")
        asset.write(to: &json)
        json.endObject()
        return json.bytes
    }
}
