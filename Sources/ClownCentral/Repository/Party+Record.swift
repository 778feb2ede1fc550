// Owns the way between a party and its record.
import Cloudlet
import Foundation

extension Party {
    static let recordType = "Party"

    /// The fields of a party's record.
    enum Key {
        static let name = "name"
        static let summary = "summary"
        static let place = "place"
        static let location = "location"
        static let starts = "starts"
        static let ends = "ends"
        /// Names in a list: the way not to go, which shows what conflicts are.
        static let guests = "guests"
    }

    /// Reads a party; throws when the record has no name.
    init(_ record: CKRecord) throws {
        self.init(
            id: record.recordID.recordName,
            name: try record.text(Key.name),
            summary: record[Key.summary] as? String,
            place: record[Key.place] as? String,
            location: (record[Key.location] as? CLLocation).map(Coordinate.init),
            starts: record[Key.starts] as? Date,
            ends: record[Key.ends] as? Date
        )
    }

    /// Writes the party into a record; a field without a value is removed.
    func write(to record: CKRecord) {
        record[Key.name] = name
        record[Key.summary] = summary
        record[Key.place] = place
        record[Key.location] = location.map(CLLocation.init)
        record[Key.starts] = starts
        record[Key.ends] = ends
    }
}

extension PartyChange {
    /// Writes only the field that changes, so that only this field is sent.
    func write(to record: CKRecord) {
        switch self {
        case .name(let name): record[Party.Key.name] = name
        case .summary(let summary): record[Party.Key.summary] = summary
        case .place(let place): record[Party.Key.place] = place
        case .location(let location): record[Party.Key.location] = location.map(CLLocation.init)
        case .starts(let starts): record[Party.Key.starts] = starts
        case .ends(let ends): record[Party.Key.ends] = ends
        }
    }
}
