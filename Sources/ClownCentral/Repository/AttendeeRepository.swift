import Cloudlet
import Foundation

/// Who comes to a party.
struct AttendeeRepository: Sendable {
    let database: CKDatabase

    // MARK: A record of one's own

    /// Stores an attendee who points back at the party. The party is not touched, so that nobody who joins
    /// at the same time is in the way.
    func join(_ attendee: Attendee) async throws -> Attendee {
        let recordID = CKRecord.ID(recordName: attendee.id)
        var record = CKRecord(recordType: Attendee.recordType, recordID: recordID)
        attendee.write(to: &record)
        return try Attendee(try await database.save(record))
    }

    /// Those who have a record of their own, by name.
    func list(party: Party.ID) async throws -> Listing<Attendee> {
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
        return try await table.all(query, limit: Batch.largest).found
    }

    // MARK: A list on the party

    /// Adds a name to the list on the party, in the version of the party that the caller holds.
    ///
    /// This is the way not to go: all who join write the same record, and all but the first hold an old
    /// version of it. A list of references instead of names would not help.
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

    /// The names on the list of a party.
    static func guests(of party: CKRecord) -> [String] {
        party[Party.Key.guests] as? [String] ?? []
    }

    private func add(_ name: String, to party: CKRecord) {
        let guests = Self.guests(of: party)
        if !guests.contains(name) { party[Party.Key.guests] = guests + [name] }
    }
}
