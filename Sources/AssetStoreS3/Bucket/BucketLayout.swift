import AssetStore
import Foundation

/// The keys of one database's objects. Contents have the names that files would have in a folder.
///
/// ```
/// <database>/incoming/<node>-<upload>              being received, if it has several parts
/// <database>/incoming/<node>-<upload>.<checksum>   received, not yet confirmed by a saved record
/// <database>/content/ab/cdef…                      owned by records
/// <database>/marks/<checksum>/pin.<node>.<number>  a node adopts the content
/// <database>/marks/<checksum>/lock.<node>.<number> a node examines the content to delete it
/// ```
struct BucketLayout: Sendable {
    /// The name of the database, with a slash at its end.
    let database: String
    /// Identifies the server among those that use the bucket: letters and digits.
    let node: String

    var incoming: String { database + "incoming/" }
    var marks: String { database + "marks/" }

    func partial(_ uploadID: String) -> String { incoming + uploadID }

    func received(_ uploadID: String, _ content: AssetChecksum) -> String {
        "\(incoming)\(uploadID).\(content.hexadecimal)"
    }

    func key(of content: AssetChecksum) -> String {
        let name = content.hexadecimal
        return "\(database)content/\(name.prefix(2))/\(name.dropFirst(2))"
    }

    func marks(of content: AssetChecksum) -> String { "\(marks)\(content.hexadecimal)/" }

    func mark(_ kind: ContentMark.Kind, of content: AssetChecksum, number: String) -> String {
        "\(marks(of: content))\(kind.rawValue).\(node).\(number)"
    }

    /// The mark with this key; nil if it is something else.
    func mark(_ key: String) -> ContentMark? {
        guard key.hasPrefix(marks) else { return nil }
        let parts = key.dropFirst(marks.count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let content = AssetChecksum(hexadecimal: parts[0]) else { return nil }
        let names = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        guard names.count == 3, let kind = ContentMark.Kind(rawValue: String(names[0])) else { return nil }
        return ContentMark(kind: kind, content: content, isOwn: names[1] == node)
    }

    /// Whether an upload is one of this node.
    func isOwnUpload(_ key: String) -> Bool { key.hasPrefix("\(incoming)\(node)-") }

    /// The content of a received upload; nil if it is incomplete.
    func content(ofUpload key: String) -> AssetChecksum? {
        AssetLayout.content(ofIncoming: String(key.dropFirst(incoming.count)))
    }
}

/// A mark by which a node tells others that it works on content.
struct ContentMark: Hashable, Sendable {
    enum Kind: String, Sendable {
        case pin
        case lock

        /// The age after which a mark counts as one of a node that ended before it could remove it. It is
        /// much longer than the work for which a mark is made.
        ///
        /// A lock must hold until no deletion that was requested under it can still be carried out. Object
        /// stores refuse requests that were signed more than 15 minutes ago, clocks may differ by as much,
        /// and `BucketStorage.delete` signs none later than 10 minutes after it made the lock.
        var lifetime: TimeInterval {
            switch self {
            case .pin: 24 * 3600
            case .lock: 3600
            }
        }
    }

    var kind: Kind
    var content: AssetChecksum
    var isOwn: Bool
}
