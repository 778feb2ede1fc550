/// Files whose bytes were hashed, as they came in or at a full read, and that nobody has written to since.
///
/// Hashing costs more than all else in a download, so a file is hashed again only after it was changed. A
/// change shows in the file's number, size or time of change. That time has a grain: a file that was looked
/// at soon after its last change could be changed again without a trace, so it counts as unknown.
struct KnownContent {
    /// What a change of a file changes.
    struct Identity: Hashable {
        var number: UInt64
        var size: Int64
        /// Nanoseconds since 1970, by the clock that files are stamped with.
        var changedAt: Int64
    }

    /// How a file looked, and when, by the clock that files are stamped with.
    struct Sight: Hashable {
        var identity: Identity
        var seenAt: Int64
    }

    /// In nanoseconds, a few times the grain of the coarsest clocks.
    static let grain: Int64 = 50_000_000
    /// Bounds the memory of a store; when it is full, all is forgotten and learnt anew.
    static let capacity = 1024

    private var identities: [AssetChecksum: Identity] = [:]

    /// The file that looked like this was hashed, before or after the look, and is good.
    mutating func learn(_ content: AssetChecksum, _ seen: Sight) {
        guard seen.seenAt - seen.identity.changedAt > Self.grain else { return }
        if identities.count >= Self.capacity { identities.removeAll() }
        identities[content] = seen.identity
    }

    func knows(_ content: AssetChecksum, _ seen: Sight) -> Bool {
        identities[content] == seen.identity
    }
}
