package import Records

/// The zones that were changed or deleted since a token.
package struct ChangesDatabaseAnswer: Hashable, Sendable {
    /// The endpoint that is answered; the two name the token differently.
    package enum Form: Hashable, Sendable {
        /// `changes/database`, with `syncToken`.
        case current
        /// `zones/changes`, with `metaSyncToken`.
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

    /// Decodes a body of either form. Throws `internalError` if it cannot be read.
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

    /// Encodes the body of the answer.
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
