import CDispatch  // timespec
import Foundation

/// The processor time that a thread has used.
struct ThreadTime: Sendable {
    /// The thread that has used the time. The times of different threads cannot be compared.
    private let thread = ObjectIdentifier(Thread.current)
    private let time = Self.used

    /// The time of the calling thread.
    static var now: ThreadTime { ThreadTime() }

    /// The time that the calling thread has used since then; nil if this is the time of another thread.
    var elapsed: Duration? { thread == ObjectIdentifier(Thread.current) ? Self.used - time : nil }

    private static var used: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
