// Owns the memory of recently seen sessions, so that a request costs no look-up in the directory.

import Records

/// Who a token stands for in a container; forgotten wholesale when it grows too large.
struct SessionCache: Sendable {
    struct Key: Hashable {
        var token: String
        var container: String
    }

    private var names: [Key: String] = [:]
    private static let capacity = 50_000

    /// Forgets everything, after something that is kept here was removed.
    mutating func forget() { names.removeAll() }

    subscript(token: String, container: String) -> String? {
        get { names[Key(token: token, container: container)] }
        set {
            if names.count >= Self.capacity { names.removeAll() }
            names[Key(token: token, container: container)] = newValue
        }
    }
}
