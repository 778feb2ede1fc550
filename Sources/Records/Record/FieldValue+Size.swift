extension FieldValue {
    /// The size in bytes that counts towards the limits: the content of variable-size values, 8 for
    /// fixed-size ones, and at least 8 for each element of a list.
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

    /// An upper bound for the value's size as JSON in bytes. A byte of text takes at most six.
    package var maximalJSONSize: Int {
        switch self {
        case .string(let text): 64 + 6 * text.utf8.count
        case .bytes(let bytes): 64 + 2 * bytes.count
        case .list(_, let values): values.reduce(64) { $0 + $1.maximalJSONSize }
        case .reference(let reference): 512 + 6 * reference.recordName.utf8.count
        case .int64, .double, .timestamp: 64
        case .asset, .location: 1024
        }
    }

    /// The empty value of the same type; numbers, times and locations stay unchanged.
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
