// Owns the refusal of requests that name too many things.

import Records

extension RecordError {
    /// Throws for the name of a batch that is too long, or excepts more than a batch can hold.
    static func check(_ name: ClientChange?, _ limits: Limits) throws(RecordError) {
        guard let name else { return }
        guard !name.token.isEmpty, name.token.count <= limits.clientTokenBytes else {
            throw RecordError(
                .badRequest,
                "a client change token has 1 to \(limits.clientTokenBytes) bytes, not \(name.token.count)",
                culprit: "clientChangeToken", nextStep: "send a shorter one, such as a hash, or none")
        }
        try check(
            name.exceptions.count, atMost: limits.operationsPerRequest, "clientChangeExceptions",
            next: "send fewer operations under one token")
    }

    /// Throws when a request names more things than it may; `next` says how to ask for all of them.
    static func check(
        _ count: Int, atMost limit: Int, _ culprit: String, next: String
    ) throws(RecordError) {
        if count <= limit { return }
        throw RecordError(
            .limitExceeded,
            "Your request contains \(count) items which is more than the maximum number of items in a single "
                + "request (\(limit))",
            culprit: culprit, nextStep: next
        )
    }
}
