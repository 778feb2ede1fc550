/// The kind of the download URLs in an answer, which determines their length.
package enum AssetAddress: Hashable, Sendable {
    /// The URL of a file in the public database, or in the reader's own private database.
    case plain
    /// The URL of a file in another person's zone. It also contains the names of the reader and of the zone.
    case shared

    /// The approximate bytes that this number of URLs adds to an answer; 0 for a few URLs, which are ignored.
    package func bytes(of count: Int) -> Int { count < fewestCounted ? 0 : count * longest }

    /// The approximate bytes of the URLs for the asset slots in an encoded `RecordHead`, as in `bytes(of:)`.
    package func bytes(inHead head: UnsafeRawBufferPointer) -> Int {
        // A short head has too few slots to matter. Counting the slots of every head would be slow.
        head.count <= fewestCounted * Self.slotBytes ? 0 : bytes(of: RecordHead(head).slots.count)
    }

    /// An upper estimate of a URL's bytes: the names of container, zone and server can be long.
    private var longest: Int {
        switch self {
        case .plain: 400
        case .shared: 1200
        }
    }

    /// The number of URLs in one record from which they are counted; they take about 3 KB together.
    private var fewestCounted: Int {
        switch self {
        case .plain: 8
        case .shared: 3
        }
    }

    /// The least bytes of a slot in a head; its checksum has 28 of them.
    private static let slotBytes = 32
}
