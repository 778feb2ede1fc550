import Foundation

extension CKError {
    /// Throws `.limitExceeded` if a request has more items than the limit.
    static func check(_ count: Int, limit: Int) throws {
        guard count > limit else { return }
        throw make(
            .limitExceeded,
            "Your request contains \(count) items which is more than the maximum number of items in a single"
                + " request (\(limit)) - split the batch in half and send both"
        )
    }

    /// The error for a record whose fields exceed the size limit.
    static func recordTooLarge(_ name: String, bytes: Int, limit: Int) -> CKError {
        make(
            .limitExceeded,
            "record is \(bytes) bytes, more than the maximum of \(limit) [\(name)] - move large values into"
                + " assets"
        )
    }

    /// The error for an asset whose file exceeds the size limit.
    static func assetTooLarge(_ field: String, bytes: Int64, limit: Int64) -> CKError {
        make(
            .limitExceeded,
            "the file is \(bytes) bytes, more than the maximum of \(limit) [\(field)] - make it smaller or"
                + " split it"
        )
    }

    /// The error for records that together exceed the size limit of a request.
    static func requestTooLarge(bytes: Int, limit: Int) -> CKError {
        make(
            .limitExceeded,
            "request is \(bytes) bytes, more than the maximum of \(limit) [body] - split the batch in half"
                + " and send both"
        )
    }

    /// The error for a request that is not sent, because the server asked for a pause that has not ended.
    static func rateLimited(seconds: TimeInterval) -> CKError {
        let whole = Int(seconds.rounded(.up))
        return make(
            .requestRateLimited,
            "Requests are held back for \(whole) s more, as the server asked - try again after"
                + " retryAfterSeconds",
            userInfo: [CKErrorRetryAfterKey: NSNumber(value: seconds)]
        )
    }
}
