import Records

extension Photo {
    static let recordType = "Photo"

    /// The fields of a photo. The thumbnail and the full picture are in separate fields.
    enum Key {
        static let name = "name"
        static let party = "party"
        static let width = "width"
        static let height = "height"
        static let byteCount = "byteCount"
        static let image = "image"
        static let thumbnail = "thumbnail"

        /// The fields that a list fetches: all but the full picture.
        static let listed = [name, party, width, height, byteCount, thumbnail]
        /// The fields without assets.
        static let described = [name, party, width, height, byteCount]
    }

    /// Reads a photo from a record. Throws if a required field is missing.
    init(_ record: some ModelRecord) throws {
        let size = PixelSize(width: try record.value(Key.width), height: try record.value(Key.height))
        let byteCount: Int = try record.value(Key.byteCount)
        // Other apps may have stored any number. The limit keeps the sum of a list from overflowing.
        let length = min(max(0, byteCount), Self.maximumByteCount)
        self.init(
            id: record.recordName,
            name: try record.value(Key.name),
            partyID: try record.target(Key.party),
            size: size,
            byteCount: length
        )
    }

    /// An upper limit for `byteCount`: 1 TiB.
    private static let maximumByteCount = 1 << 40

    /// Writes the photo into a record. The reference to the party deletes the photo together with the party.
    func write(to record: inout some ModelRecord) {
        record[field: Key.name] = name
        record[field: Key.party] = Reference(recordName: partyID, action: .deleteSelf)
        record[field: Key.width] = size.width
        record[field: Key.height] = size.height
        record[field: Key.byteCount] = byteCount
    }
}
