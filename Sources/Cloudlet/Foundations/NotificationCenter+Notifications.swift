public import Foundation

extension NotificationCenter {
    /// The notifications with this name, starting when the sequence is first iterated.
    ///
    /// ```swift
    /// for await _ in NotificationCenter.default.notifications(named: .CKAccountChanged) {
    ///     status = try await container.accountStatus()
    /// }
    /// ```
    ///
    /// - Parameter object: The sender whose notifications are included; nil includes all senders.
    public func notifications(
        named name: Notification.Name, object: (any AnyObject & Sendable)? = nil
    ) -> NotificationCenter.Notifications {
        Notifications(center: self, name: name, object: object)
    }

    // Sendable because every property is immutable, and notification centers may be used from any thread.
    /// An endless sequence of notifications. To stop waiting, cancel the task that iterates it.
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

        /// Starts to observe. Notifications are buffered from now on until they are read.
        public func makeAsyncIterator() -> Iterator {
            let (stream, posts) = AsyncStream<PostedNotification>.makeStream()
            let observer = center.addObserver(forName: name, object: object, queue: nil) { notification in
                posts.yield(PostedNotification(notification: notification))
            }
            let observation = Observation(center: center, observer: observer)
            posts.onTermination = { _ in observation.end() }
            return Iterator(posts: stream.makeAsyncIterator())
        }

        /// Iterates over the notifications in the order in which they are posted.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var posts: AsyncStream<PostedNotification>.Iterator

            /// Waits for the next notification; nil if the task is cancelled.
            public mutating func next() async -> Notification? {
                await posts.next()?.notification
            }
        }
    }
}

/// A notification that the observer passes to the iterating task.
// Sendable because it is passed to one task only, as in Foundation on Apple platforms.
private struct PostedNotification: @unchecked Sendable {
    let notification: Notification
}

/// An observer and its notification center.
// Sendable because both properties are immutable, and notification centers may be used from any thread.
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
