/// The kind of the download URLs in an answer, which determines their length.
package enum AssetAddress: Hashable, Sendable {
    /// The URL of a file in the public database, or in the reader's own private database.
    case plain
    /// The URL of a file in another person's zone. It also contains the names of the reader and of the zone.
    case shared

    /// The approximate bytes that this number of URLs adds to an answer. Every URL counts, because each is
    /// signed separately.
    package func bytes(of count: Int) -> Int { count * longest }

    /// The approximate bytes of the URLs for the asset slots in an encoded `RecordHead`.
    package func bytes(inHead head: UnsafeRawBufferPointer) -> Int { bytes(of: RecordHead(head).slotCount) }

    /// An upper estimate of a URL's bytes: the names of container, zone and server can be long.
    private var longest: Int {
        switch self {
        case .plain: 400
        case .shared: 1200
        }
    }
}
