/// Files whose content was verified, on receipt or by a full read, and that have not been modified since.
///
/// Hashing is the most expensive part of a download, so a file is hashed again only after a modification. A
/// modification shows in the inode number, size or modification time. The modification time has a limited
/// resolution, so a file that was modified just before it was examined counts as unknown.
package struct VerifiedFiles {
    /// The attributes of a file by which a modification is recognised.
    struct Identity: Hashable, Sendable {
        var number: UInt64
        var size: Int64
        /// Nanoseconds since 1970, by the file system's clock.
        var changedAt: Int64
        /// The tag that an object store gives to each version of an object; empty for a file.
        var tag = ""
    }

    /// A file's attributes and the time at which they were read, in nanoseconds by the file system's clock.
    package struct Attributes: Hashable, Sendable {
        var identity: Identity
        var seenAt: Int64

        package var size: Int64 { identity.size }
    }

    /// The assumed resolution of modification times in nanoseconds: a few times that of the coarsest clocks.
    static let timestampResolution: Int64 = 50_000_000
    /// The largest number of entries. A full cache is emptied.
    static let capacity = 1024

    private var identities: [AssetChecksum: Identity] = [:]

    /// Records that the file with these attributes is intact. Files that were modified too recently are not
    /// recorded. Those whose modification time is in the future are, because a modification now gets another
    /// time: after the clock was set back, they would otherwise be read in full for each part of them.
    mutating func record(_ content: AssetChecksum, _ seen: Attributes) {
        let distance = (seen.seenAt - seen.identity.changedAt).magnitude
        guard distance > Self.timestampResolution.magnitude else { return }
        if identities.count >= Self.capacity { identities.removeAll() }
        identities[content] = seen.identity
    }

    func contains(_ content: AssetChecksum, _ seen: Attributes) -> Bool {
        identities[content] == seen.identity
    }
}

extension VerifiedFiles.Attributes {
    /// The attributes of an object in an object store, which gives each version another tag.
    package init(objectOf size: Int64, tag: String) {
        identity = VerifiedFiles.Identity(number: 0, size: size, changedAt: 0, tag: tag)
        seenAt = .max
    }
}
