package import Records

/// The place at which a text stops being JSON (RFC 8259), nests too deeply, or has too many values.
package struct JSONFault: Error, Hashable, Sendable {
    /// In bytes from the start of the text.
    package var offset: Int
    package var isTooDeep = false
    /// How many values there may be, where there are more.
    package var mostValues: Int?

    /// The same as the protocol reports it, with the offset as the culprit.
    package var asRecordError: RecordError {
        if let mostValues {
            return RecordError(
                .limitExceeded, "the JSON of the request has more than \(mostValues) values",
                culprit: "byte \(offset)", nextStep: "split the request")
        }
        return RecordError(
            .badRequest,
            unexpectedInput,
            culprit: "byte \(offset)",
            nextStep: isTooDeep ? "Nest less deeply." : "Send JSON as RFC 8259 defines it, in UTF-8."
        )
    }
}

/// What malformed JSON and values of the wrong shape are called.
let unexpectedInput = "BadRequestException: Unexpected input"
