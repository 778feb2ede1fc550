/// A number of requests in a number of seconds. All of them may come at once if they were saved up.
public struct RequestRate: Hashable, Sendable {
    /// The number of requests.
    public var requests: Int
    /// The seconds in which that number comes back.
    public var seconds: Int

    /// That many requests in that many seconds.
    public init(requests: Int, seconds: Int) {
        self.requests = requests
        self.seconds = seconds
    }
}
