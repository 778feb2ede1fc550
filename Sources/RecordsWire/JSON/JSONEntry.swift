/// The position of a value in the text. The entries of a container's content follow its own: elements, or
/// alternating keys and values.
struct JSONEntry {
    /// The offset of the first byte; for strings, after the opening quote.
    var start: UInt32
    /// The offset after the last byte; for strings, of the closing quote.
    var end: UInt32
    /// The index of the entry after this value and its content.
    var next: UInt32
    var kind: JSONKind
}
