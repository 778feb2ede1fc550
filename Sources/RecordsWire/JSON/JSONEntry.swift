/// Where a value lies in the text. The entries of a container follow it: elements, or keys and values in
/// turn.
struct JSONEntry {
    /// First byte; behind the opening quote for strings.
    var start: UInt32
    /// Behind the last byte; at the closing quote for strings.
    var end: UInt32
    /// The entry that follows this value and all it contains.
    var next: UInt32
    var kind: JSONKind
}
