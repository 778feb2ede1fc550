import Foundation
import Records

extension Party {
    static let recordType = "Party"

    enum Key {
        static let name = "name"
        static let summary = "summary"
        static let place = "place"
        static let location = "location"
        static let starts = "starts"
        static let ends = "ends"
        /// A list of names, an anti-pattern that demonstrates conflicts; see
        /// `AttendeeRepository.joinByArray`.
        static let guests = "guests"
    }

    /// Reads a party from a record. Throws if the record has no name.
    init(_ record: some ModelRecord) throws {
        let location: Location? = record[field: Key.location]
        self.init(
            id: record.recordName,
            name: try record.value(Key.name),
            summary: record[field: Key.summary],
            place: record[field: Key.place],
            location: location.map { Coordinate($0) },
            starts: record[field: Key.starts],
            ends: record[field: Key.ends]
        )
    }

    /// Writes the party into a record. Removes fields whose value is nil.
    func write(to record: inout some ModelRecord) {
        record[field: Key.name] = name
        record[field: Key.summary] = summary
        record[field: Key.place] = place
        record[field: Key.location] = location.map { Location($0) }
        record[field: Key.starts] = starts
        record[field: Key.ends] = ends
    }
}

extension PartyChange {
    /// Writes only the changed field, so that only this field is sent.
    func write(to record: inout some ModelRecord) {
        switch self {
        case .name(let name): record[field: Party.Key.name] = name
        case .summary(let summary): record[field: Party.Key.summary] = summary
        case .place(let place): record[field: Party.Key.place] = place
        case .location(let location): record[field: Party.Key.location] = location.map { Location($0) }
        case .starts(let starts): record[field: Party.Key.starts] = starts
        case .ends(let ends): record[field: Party.Key.ends] = ends
        }
    }
}
