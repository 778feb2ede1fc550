import Records

extension RecordError {
    /// Throws `badRequest` for a client change token that is empty or too long, or has invalid exceptions.
    static func check(_ change: ClientChange?, _ limits: Limits) throws(RecordError) {
        guard let change else { return }
        guard !change.token.isEmpty, change.token.count <= limits.clientTokenBytes else {
            throw RecordError(
                .badRequest,
                "a client change token has 1 to \(limits.clientTokenBytes) bytes, not \(change.token.count)",
                culprit: "clientChangeToken", nextStep: "send a shorter one, such as a hash, or none")
        }
        guard change.exceptions.allSatisfy({ $0.utf8.count <= limits.nameCharacters }) else {
            throw RecordError(
                .badRequest, "an exception is a record name of at most \(limits.nameCharacters) bytes",
                culprit: "clientChangeExceptions",
                nextStep: "send the names of records that the batch leaves out")
        }
    }

    /// Throws `badRequest` for a device identifier that is too long or contains control characters: every
    /// record that the device saves has it.
    static func check(device name: String?, _ limits: Limits) throws(RecordError) {
        guard let name else { return }
        if name.utf8.count <= limits.nameCharacters, !name.hasControlCharacters { return }
        throw RecordError(
            .badRequest,
            "a clientId must have at most \(limits.nameCharacters) bytes and no control characters",
            culprit: "clientId", nextStep: "send another one, such as a UUID")
    }
}
