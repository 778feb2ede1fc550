// Owns the check of the name of a batch.

import Records

extension RecordError {
    /// Throws for the name of a batch that is empty or too long.
    static func check(_ name: ClientChange?, _ limits: Limits) throws(RecordError) {
        guard let name else { return }
        guard !name.token.isEmpty, name.token.count <= limits.clientTokenBytes else {
            throw RecordError(
                .badRequest,
                "a client change token has 1 to \(limits.clientTokenBytes) bytes, not \(name.token.count)",
                culprit: "clientChangeToken", nextStep: "send a shorter one, such as a hash, or none")
        }
    }
}
