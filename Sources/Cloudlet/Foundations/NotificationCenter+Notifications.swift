public import Foundation

extension NotificationCenter {
    /// The notifications of that name, from the moment at which their sequence is first asked.
    ///
    /// ```swift
    /// for await _ in NotificationCenter.default.notifications(named: .CKAccountChanged) {
    ///     status = try await container.accountStatus()
    /// }
    /// ```
    ///
    /// - Parameter object: Only notifications that it sends; nil: those of all senders.
    public func notifications(
        named name: Notification.Name, object: (any AnyObject & Sendable)? = nil
    ) -> NotificationCenter.Notifications {
        Notifications(center: self, name: name, object: object)
    }

    // Sendable because every property is constant, and centers may be used from any thread.
    /// A sequence that does not end; a task that waits for it is ended by cancelling.
    public final class Notifications: AsyncSequence, @unchecked Sendable {
        /// One notification.
        public typealias Element = Notification

        private let center: NotificationCenter
        private let name: Notification.Name
        private let object: (any AnyObject & Sendable)?

        init(center: NotificationCenter, name: Notification.Name, object: (any AnyObject & Sendable)?) {
            self.center = center
            self.name = name
            self.object = object
        }

        /// Begins to observe; what is posted from now on is kept until it is asked for.
        public func makeAsyncIterator() -> Iterator {
            let (stream, posts) = AsyncStream<Post>.makeStream()
            let observer = center.addObserver(forName: name, object: object, queue: nil) { notification in
                posts.yield(Post(notification: notification))
            }
            let observation = Observation(center: center, observer: observer)
            posts.onTermination = { _ in observation.end() }
            return Iterator(posts: stream.makeAsyncIterator())
        }

        /// The walk over notifications as they are posted.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var posts: AsyncStream<Post>.Iterator

            /// Waits for the next notification; nil when the task is cancelled.
            public mutating func next() async -> Notification? {
                await posts.next()?.notification
            }
        }
    }
}

/// A notification on its way to whoever waits for it.
// Sendable because it is handed over once, as the real framework does it.
private struct Post: @unchecked Sendable {
    let notification: Notification
}

/// An observer and where it observes.
// Sendable because both properties are constant, and centers may be used from any thread.
private final class Observation: @unchecked Sendable {
    private let center: NotificationCenter
    private let observer: any NSObjectProtocol

    init(center: NotificationCenter, observer: any NSObjectProtocol) {
        self.center = center
        self.observer = observer
    }

    func end() {
        center.removeObserver(observer)
    }
}
