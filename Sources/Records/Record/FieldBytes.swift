/// A record's fields as encoded bytes, which answers copy. Only the URLs of assets are inserted for each
/// answer.
package struct FieldBytes: Hashable, Sendable {
    /// A position at which an answer inserts the download URL of an asset.
    package struct AssetSlot: Hashable, Sendable {
        /// The offset in `bytes` at which the URL is inserted.
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
    /// The positions for asset URLs, sorted by `offset`. Empty for records without assets.
    package var assetSlots: [AssetSlot]

    /// The approximate size in bytes of the fields in an answer, including asset URLs.
    package func answerBytes(_ addresses: AssetAddress = .plain) -> Int {
        bytes.count + addresses.bytes(of: assetSlots.count)
    }

    package init(bytes: [UInt8], assetSlots: [AssetSlot] = []) {
        self.bytes = bytes
        self.assetSlots = assetSlots
    }
}

/// Encodes and decodes the values that stores keep, so that stores are independent of JSON.
package protocol FieldCodec: PushCodec {
    func encode(_ fields: Fields) -> FieldBytes
    /// Throws `internalError` when stored bytes are damaged.
    func decode(_ bytes: FieldBytes) throws(RecordError) -> Fields
}
