import Foundation

extension CKError {
    /// Throws `.limitExceeded` when a request would have more items than one may have.
    static func check(_ count: Int, limit: Int) throws {
        guard count > limit else { return }
        throw make(
            .limitExceeded,
            "Your request contains \(count) items which is more than the maximum number of items in a single"
                + " request (\(limit)) - split the batch in half and send both"
        )
    }

    /// The fields of one record are too much.
    static func recordTooLarge(_ name: String, bytes: Int, limit: Int) -> CKError {
        make(
            .limitExceeded,
            "record is \(bytes) bytes, more than the maximum of \(limit) [\(name)] - move large values into"
                + " assets"
        )
    }

    /// The file of an asset is too long.
    static func assetTooLarge(_ field: String, bytes: Int64, limit: Int64) -> CKError {
        make(
            .limitExceeded,
            "the file is \(bytes) bytes, more than the maximum of \(limit) [\(field)] - make it smaller or"
                + " split it"
        )
    }

    /// The records of one request are too much together.
    static func requestTooLarge(bytes: Int, limit: Int) -> CKError {
        make(
            .limitExceeded,
            "request is \(bytes) bytes, more than the maximum of \(limit) [body] - split the batch in half"
                + " and send both"
        )
    }

    /// A rate limit that the server named has not ended.
    static func heldBack(seconds: TimeInterval) -> CKError {
        let whole = Int(seconds.rounded(.up))
        return make(
            .requestRateLimited,
            "Requests are held back for \(whole) s more, as the server asked - try again after"
                + " retryAfterSeconds",
            userInfo: [CKErrorRetryAfterKey: NSNumber(value: seconds)]
        )
    }
}
