extension FieldValue {
    /// Bytes of what it holds; 8 for what has a fixed size, and for each element of a list at least as many.
    package var size: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        case .reference(let reference): reference.recordName.utf8.count
        case .asset(let asset): asset.fileChecksum.utf8.count
        case .list(_, let elements): elements.reduce(0) { $0 + max(8, $1.size) }
        case .int64, .double, .timestamp, .location: 8
        }
    }

    /// Bytes that the value cannot exceed on the wire: a character takes six at most, everything else less
    /// than here.
    package var longestSpelling: Int {
        switch self {
        case .string(let text): 64 + 6 * text.utf8.count
        case .bytes(let bytes): 64 + 2 * bytes.count
        case .list(_, let values): values.reduce(64) { $0 + $1.longestSpelling }
        case .reference(let reference): 512 + 6 * reference.recordName.utf8.count
        case .int64, .double, .timestamp: 64
        case .asset, .location: 1024
        }
    }

    /// The smallest value of the same type.
    package var emptied: FieldValue {
        switch self {
        case .string: .string("")
        case .bytes: .bytes([])
        case .reference: .reference(Reference(recordName: ""))
        case .asset: .asset(Asset(fileChecksum: "", size: 0))
        case .list(let element, _): .list(element, [])
        case .int64, .double, .timestamp, .location: self
        }
    }
}
