// Owns what all devices share that one push goes to.

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

/// A message on its way to any number of devices, and its bytes, which are made once, when they are first
/// wanted.
package final class PushBody: Hashable, Sendable {
    package let message: PushMessage
    let names: PushNames
    private let made = Mutex<[UInt8]?>(nil)

    package init(_ message: PushMessage) {
        self.message = message
        names = PushNames(message)
    }

    package func bytes(_ make: (PushMessage) -> [UInt8]) -> [UInt8] {
        made.withLock { made in
            if let made { return made }
            let bytes = make(message)
            made = bytes
            return bytes
        }
    }

    package static func == (a: PushBody, b: PushBody) -> Bool { a === b || a.message == b.message }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(message)
    }
}
