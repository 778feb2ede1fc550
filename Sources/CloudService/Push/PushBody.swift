package import Records
import Synchronization

/// What the trace says of a message, so that it keeps nothing of what stands in it.
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

/// A message on its way to any number of devices, and the form in which it is sent, which is made once, when
/// it is first wanted.
package final class PushBody: Hashable, Sendable {
    package typealias Form = AnyObject & Sendable

    package let message: PushMessage
    let names: PushNames
    private let made = Mutex<(any Form)?>(nil)

    package init(_ message: PushMessage) {
        self.message = message
        names = PushNames(message)
    }

    /// What the message looks like to all devices that take it in the same form. A type stands for one form:
    /// the first one made of it is the one that is used.
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
