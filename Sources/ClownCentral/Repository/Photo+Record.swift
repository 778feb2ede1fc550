import Records

extension Photo {
    static let recordType = "Photo"

    /// The fields of a photo's record; the small picture is a field of its own beside the full one.
    enum Key {
        static let name = "name"
        static let party = "party"
        static let width = "width"
        static let height = "height"
        static let byteCount = "byteCount"
        static let image = "image"
        static let thumbnail = "thumbnail"

        /// What a list fetches: everything but the full picture.
        static let listed = [name, party, width, height, byteCount, thumbnail]
        /// What describes a photo without any of its bytes.
        static let described = [name, party, width, height, byteCount]
    }

    /// Reads a photo; throws when a field is missing that every photo has.
    init(_ record: some ModelRecord) throws {
        let size = PixelSize(width: try record.value(Key.width), height: try record.value(Key.height))
        let byteCount: Int = try record.value(Key.byteCount)
        // Other people write these records too: within bounds, the lengths of a list can be added.
        let length = min(max(0, byteCount), Self.longestFile)
        self.init(
            id: record.recordName,
            name: try record.value(Key.name),
            partyID: try record.target(Key.party),
            size: size,
            byteCount: length
        )
    }

    /// Bytes that no picture exceeds.
    private static let longestFile = 1 << 40

    /// Writes the photo into a record, with a back reference that deletes the photo together with its party.
    func write(to record: inout some ModelRecord) {
        record[field: Key.name] = name
        record[field: Key.party] = Reference(recordName: partyID, action: .deleteSelf)
        record[field: Key.width] = size.width
        record[field: Key.height] = size.height
        record[field: Key.byteCount] = byteCount
    }
}
