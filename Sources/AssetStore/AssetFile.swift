import Records

/// A file's size and its bytes. Closes by itself when nobody uses it any more.
package struct AssetFile: Sendable {
    /// In bytes, of the whole file.
    package let size: Int64
    let reader: AssetReader
    let check: ContentCheck
    /// Whether the bytes were hashed before and nobody has written to the file since.
    let isKnown: Bool

    /// The bytes of a range, or all, in order, in chunks of 512 KiB, the last one shorter.
    ///
    /// A read of the whole file is checked on the way, unless it is known that the file was not changed since
    /// the last check: if the content is not what its name says, the sequence throws before the last chunk,
    /// so that no reader gets a changed file complete.
    ///
    /// - Throws: `badRequest` for a range that does not lie in the file.
    package func chunks(in range: Range<Int64>? = nil) throws -> AssetChunks {
        let range = range ?? 0..<size
        guard range.lowerBound >= 0, range.upperBound <= size else { throw RecordError.badRange }
        let mustCheck = range == 0..<size && !isKnown
        return AssetChunks(range: range, reader: reader, check: mustCheck ? check : nil)
    }
}
