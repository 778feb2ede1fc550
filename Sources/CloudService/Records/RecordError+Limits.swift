// Owns the refusal of requests that name too many things.

import Records

extension RecordError {
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
