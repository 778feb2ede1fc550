import Cloudlet
import Foundation

/// Stores the attendees of a party, in two ways: as records of their own, and as a list on the party's
/// record.
struct AttendeeRepository: Sendable {
    let database: CKDatabase

    // MARK: A record for each attendee

    /// Saves a record for an attendee that refers to the party. The party's record does not change, so people
    /// who join at the same time do not conflict.
    func join(_ attendee: Attendee) async throws -> Attendee {
        let recordID = CKRecord.ID(recordName: attendee.id)
        var record = CKRecord(recordType: Attendee.recordType, recordID: recordID)
        attendee.write(to: &record)
        return try Attendee(try await database.save(record))
    }

    /// The first `Batch.maximumRecords` attendees with a record of their own, sorted by name.
    func list(party: Party.ID) async throws -> RecordList<Attendee> {
        let predicate = BackReference.predicate(Attendee.Key.party, to: party)
        let query = CKQuery(recordType: Attendee.recordType, predicate: predicate)
        query.sortDescriptors = [NSSortDescriptor(key: Attendee.Key.name, ascending: true)]
        let table = RecordTable(
            database: database,
            recordType: Attendee.recordType,
            keys: [Attendee.Key.name, Attendee.Key.party],
            read: { try Attendee($0) },
            name: { $0.name }
        )
        return try await table.all(query, limit: Batch.maximumRecords).found
    }

    // MARK: A list on the party

    /// Adds a name to the list on the party's record. `party` is the version of the record that the caller
    /// has.
    ///
    /// This is an anti-pattern, kept to demonstrate conflicts: everybody who joins writes the same record,
    /// and every save but the first is based on an outdated version. A list of references would conflict in
    /// the same way. With `merging`, a conflict is resolved by adding the name to the server's version.
    func joinByArray(_ name: String, party: CKRecord, merging: Bool) async throws -> SaveOutcome {
        add(name, to: party)
        do {
            return .saved(try await database.save(party))
        } catch {
            guard let conflict = SaveConflict(error) else { throw error }
            guard merging else { return .conflict(conflict) }
            let server = conflict.serverCopy
            add(name, to: server)
            return .merged(try await database.save(server), after: conflict)
        }
    }

    static func guests(of party: CKRecord) -> [String] {
        party[Party.Key.guests] as? [String] ?? []
    }

    private func add(_ name: String, to party: CKRecord) {
        let guests = Self.guests(of: party)
        if !guests.contains(name) { party[Party.Key.guests] = guests + [name] }
    }
}
