/// The kinds of download URLs in answers, which differ in length.
package enum AssetAddress: Hashable, Sendable {
    /// Of a file in the public database, or in the reader's own private database.
    case plain
    /// Of a file in another person's zone. The URL also contains the names of the reader and of the zone.
    case shared

    /// About how many bytes this number of URLs adds to an answer. A few are not counted.
    package func bytes(of count: Int) -> Int { count < fewestCounted ? 0 : count * longest }

    /// As `bytes(of:)`, for the asset slots in an encoded `RecordHead`.
    package func bytes(inHead head: UnsafeRawBufferPointer) -> Int {
        // Only a long head can have as many slots as are counted, and slots take long to count.
        head.count <= fewestCounted * Self.slotBytes ? 0 : bytes(of: RecordHead(head).slots.count)
    }

    /// The bytes of a URL with long names of the container, the zone and the server.
    private var longest: Int {
        switch self {
        case .plain: 400
        case .shared: 1200
        }
    }

    /// The fewest URLs of one record that are counted: about 3 KB of them.
    private var fewestCounted: Int {
        switch self {
        case .plain: 8
        case .shared: 3
        }
    }

    /// The fewest bytes of a slot in a head, of which its checksum has 28.
    private static let slotBytes = 32
}
