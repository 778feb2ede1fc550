/// The hash of a password, and whether the person had proved their identity before it was set.
///
/// On an open server anybody may sign in under any name and then set a password. A closed server must not
/// accept such a password, since a stranger may have set it.
struct StoredPassword: Hashable, Sendable {
    var hash: PasswordHash
    /// False for a password that was set in a session begun by name alone.
    var isProven: Bool

    private static let mark = "open:"

    init(hash: PasswordHash, isProven: Bool) {
        self.hash = hash
        self.isProven = isProven
    }

    /// Parses the format of `text`. A hash without a mark is proven. nil for any other text.
    init?(text: String) {
        let isMarked = text.hasPrefix(Self.mark)
        let rest = isMarked ? String(text.dropFirst(Self.mark.count)) : text
        guard let hash = PasswordHash(text: rest) else { return nil }
        self.init(hash: hash, isProven: !isMarked)
    }

    /// The form in which the directory stores it.
    var text: String { isProven ? hash.text : Self.mark + hash.text }
}
