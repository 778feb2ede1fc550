/// A token bucket: it holds up to `requests` tokens and refills completely in `seconds`. A burst may use all
/// of them at once.
public struct RequestRate: Hashable, Sendable {
    /// The capacity of the bucket.
    public var requests: Int
    /// The seconds in which an empty bucket refills.
    public var seconds: Int

    /// A rate of `requests` per `seconds`.
    public init(requests: Int, seconds: Int) {
        self.requests = requests
        self.seconds = seconds
    }
}
