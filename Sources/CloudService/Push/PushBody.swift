package import Records
import Synchronization

/// The names in a message that the trace keeps; the trace stores none of the message's content.
final class PushNames: Hashable, Sendable {
    let container: String
    let user: String
    let notification: String
    let subscription: String

    init(_ message: PushMessage) {
        container = message.container
        user = message.user
        notification = message.notification.id
        subscription = message.notification.subscriptionID
    }

    static func == (a: PushNames, b: PushNames) -> Bool {
        a.notification == b.notification && a.user == b.user && a.container == b.container
            && a.subscription == b.subscription
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(notification)
        hasher.combine(user)
    }
}

/// A message on its way to any number of devices, with its serialized form, which is created once, on first
/// use.
package final class PushBody: Hashable, Sendable {
    package typealias Form = AnyObject & Sendable

    package let message: PushMessage
    let names: PushNames
    private let made = Mutex<(any Form)?>(nil)

    package init(_ message: PushMessage) {
        self.message = message
        names = PushNames(message)
    }

    /// The serialized form of the message, made by the first call and shared by all devices. Only the form of
    /// the type that was made last is kept, so all calls should use one type, and a `make` with equal
    /// results.
    package func form<Wanted: Form>(_ make: (PushMessage) -> Wanted) -> Wanted {
        made.withLock { made in
            if let made = made as? Wanted { return made }
            let form = make(message)
            made = form
            return form
        }
    }

    package static func == (a: PushBody, b: PushBody) -> Bool { a === b || a.message == b.message }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(message)
    }
}
