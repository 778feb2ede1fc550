package import Records

/// The zones that changed or went since a token.
package struct ChangesDatabaseAnswer: Hashable, Sendable {
    /// Which of the two spellings is meant.
    package enum Form: Hashable, Sendable {
        /// changes/database
        case current
        /// zones/changes
        case deprecated
    }

    package var zones: [ZoneResult]
    package var token: ChangeToken
    package var moreComing: Bool

    package init(zones: [ZoneResult], token: ChangeToken, moreComing: Bool) {
        self.zones = zones
        self.token = token
        self.moreComing = moreComing
    }

    /// Reads a body of either form. Throws `internalError` when it cannot be read.
    package init(bytes: [UInt8]) throws(RecordError) {
        do throws(RecordError) {
            let body = try JSONDocument(bytes, nesting: answerNesting).root.object()
            zones = try body.list("zones") { ZoneResult($0) }
            let current = try body.token("syncToken")
            let deprecated = try body.token("metaSyncToken")
            guard let token = current ?? deprecated else { throw body.missing("syncToken") }
            self.token = token
            moreComing = try body.flag("moreComing")
        } catch {
            throw error.asUnreadableAnswer
        }
    }

    /// The body as the server sends it.
    package func encoded(in context: AnswerContext, form: Form = .current) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.list("zones", zones) { $0.write(to: &$1, in: context, showsAtomic: false) }
        json.member(form == .current ? "syncToken" : "metaSyncToken", base64: token.bytes)
        json.member("moreComing", moreComing)
        json.endObject()
        return json.bytes
    }
}
