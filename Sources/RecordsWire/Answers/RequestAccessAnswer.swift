package import Records

/// The answer to `records/requestAccess`: one entry for each share, in order; nil: the request was passed on
/// to the owner.
package struct RequestAccessAnswer: Hashable, Sendable {
    package var shortGUIDs: [String]
    package var errors: [RecordError?]

    package init(shortGUIDs: [String], errors: [RecordError?]) {
        self.shortGUIDs = shortGUIDs
        self.errors = errors
    }

    /// Decodes a body. Throws `internalError` if it cannot be read.
    package init(bytes: [UInt8]) throws(RecordError) {
        do throws(RecordError) {
            let body = try JSONDocument(bytes, nesting: answerNesting).root.object()
            shortGUIDs = []
            errors = []
            for entry in try body.required("results").array() {
                let guid = try entry.object().required("shortGUID").object().required("value").string()
                shortGUIDs.append(guid)
                errors.append(entry["serverErrorCode"] == nil ? nil : RecordError(entry))
            }
        } catch {
            throw error.asUnreadableAnswer
        }
    }

    /// Encodes the body of the answer.
    package func encoded(in context: AnswerContext) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.list("results", Array(zip(shortGUIDs, errors))) { entry, json in
            json.beginObject()
            json.key("shortGUID")
            json.beginObject()
            json.member("value", entry.0)
            json.endObject()
            entry.1?.writeMembers(to: &json, in: context)
            json.endObject()
        }
        json.endObject()
        return json.bytes
    }
}
