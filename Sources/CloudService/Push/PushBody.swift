// Owns what all devices share that one push goes to.

package import Records
import Synchronization

/// A message on its way to any number of devices, and its bytes, which are made once, when they are first
/// wanted.
package final class PushBody: Hashable, Sendable {
    package let message: PushMessage
    private let made = Mutex<[UInt8]?>(nil)

    package init(_ message: PushMessage) {
        self.message = message
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
