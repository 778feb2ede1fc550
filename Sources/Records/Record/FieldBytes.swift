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

    /// About how many bytes the addresses of so many assets have in an answer. A few are not counted.
    package static func addressBytes(of slots: Int) -> Int { slots < 8 ? 0 : slots * 400 }

    /// About how many bytes the fields have in an answer, with the addresses of assets.
    package var answerBytes: Int { bytes.count + Self.addressBytes(of: assetSlots.count) }

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
