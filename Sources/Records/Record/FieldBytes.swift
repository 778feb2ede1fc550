// Owns the form in which fields are kept and answered: bytes that pass through (law 3).

/// The encoded fields of a record: the very bytes that answer a read, but for what is made per answer.
package struct FieldBytes: Hashable, Sendable {
    /// A place where an answer inserts the address of an asset.
    package struct AssetSlot: Hashable, Sendable {
        /// Where in `bytes` the address goes.
        package var offset: Int
        package var fieldName: String
        package var fileChecksum: String

        package init(offset: Int, fieldName: String, fileChecksum: String) {
            self.offset = offset
            self.fieldName = fieldName
            self.fileChecksum = fileChecksum
        }
    }

    package var bytes: [UInt8]
    /// In ascending order of `offset`; empty for records without assets.
    package var assetSlots: [AssetSlot]

    package init(bytes: [UInt8], assetSlots: [AssetSlot] = []) {
        self.bytes = bytes
        self.assetSlots = assetSlots
    }
}

/// How what stores keep becomes bytes and back. Stores hold one without knowing the spelling.
package protocol FieldCodec: PushCodec {
    func encode(_ fields: Fields) -> FieldBytes
    /// Throws `internalError` when stored bytes are damaged.
    func decode(_ bytes: FieldBytes) throws(RecordError) -> Fields
}
