// Owns how many requests somebody may send in a while.

/// So many requests in so many seconds, all of them at once if they were saved up.
package struct RequestRate: Hashable, Sendable {
    package var requests: Int
    package var seconds: Int

    package init(requests: Int, seconds: Int) {
        self.requests = requests
        self.seconds = seconds
    }
}
