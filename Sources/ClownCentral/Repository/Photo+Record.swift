// Owns the way between a photo and its record.
import Cloudlet
import Foundation

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
    init(_ record: CKRecord) throws {
        guard let width = record[Key.width] as? Int else { throw record.unreadable(Key.width) }
        guard let height = record[Key.height] as? Int else { throw record.unreadable(Key.height) }
        guard let byteCount = record[Key.byteCount] as? Int else { throw record.unreadable(Key.byteCount) }
        self.init(
            id: record.recordID.recordName,
            name: try record.text(Key.name),
            partyID: try record.target(Key.party),
            size: PixelSize(width: width, height: height),
            byteCount: byteCount
        )
    }

    /// Writes the photo into a record, with a back reference that deletes the photo together with its party.
    func write(to record: CKRecord) {
        record[Key.name] = name
        record[Key.party] = CKRecord.Reference(
            recordID: CKRecord.ID(recordName: partyID), action: .deleteSelf)
        record[Key.width] = size.width
        record[Key.height] = size.height
        record[Key.byteCount] = byteCount
    }
}
