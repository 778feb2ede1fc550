package import Records

/// The position at which a text is not valid JSON (RFC 8259), is nested too deeply, or has too many values.
package struct JSONFault: Error, Hashable, Sendable {
    /// The offset in bytes.
    package var offset: Int
    package var isTooDeep = false
    package var hasTooManyMarks = false
    /// The exceeded limit of values; nil for other faults.
    package var maximumValues: Int?

    /// The error that the server returns, with the offset as the culprit.
    package var asRecordError: RecordError {
        if let maximumValues {
            return RecordError(
                .limitExceeded, "the JSON of the request has more than \(maximumValues) values",
                culprit: "byte \(offset)", nextStep: "split the request")
        }
        if hasTooManyMarks { return CombiningMarks.refusal("byte \(offset)") }
        return RecordError(
            .badRequest,
            unexpectedInput,
            culprit: "byte \(offset)",
            nextStep: isTooDeep ? "nest the values less deeply" : "send JSON as RFC 8259 defines it, in UTF-8"
        )
    }
}

/// The error text for malformed JSON and for values of the wrong type.
let unexpectedInput = "BadRequestException: Unexpected input"
