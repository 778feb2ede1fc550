/// The hash of a password, and whether somebody proved to be the person before it was set.
///
/// On an open server everybody may sign in as anybody by name, and set a password then. A closed server must
/// not take such a password for a proof: a stranger may have set it.
struct StoredPassword: Hashable, Sendable {
    var hash: PasswordHash
    /// False for one that was set in a session begun by name alone.
    var isProven: Bool

    private static let mark = "open:"

    init(hash: PasswordHash, isProven: Bool) {
        self.hash = hash
        self.isProven = isProven
    }

    /// Reads what `text` wrote; a hash without a mark is proven. nil for anything else.
    init?(text: String) {
        let isMarked = text.hasPrefix(Self.mark)
        let rest = isMarked ? String(text.dropFirst(Self.mark.count)) : text
        guard let hash = PasswordHash(text: rest) else { return nil }
        self.init(hash: hash, isProven: !isMarked)
    }

    /// As the directory keeps it.
    var text: String { isProven ? hash.text : Self.mark + hash.text }
}
