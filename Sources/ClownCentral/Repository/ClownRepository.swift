import Cloudlet
import Foundation

/// The clowns in the public database.
struct ClownRepository: Sendable {
    let database: CKDatabase

    /// Look-ups of clowns by ID and name.
    var table: RecordTable<Clown> {
        RecordTable(
            database: database,
            recordType: Clown.recordType,
            keys: [Clown.Key.name, Clown.Key.act, Clown.Key.party],
            read: { try Clown($0) },
            name: { $0.name }
        )
    }

    /// Saves a new clown, which refers to its party.
    func assign(_ clown: Clown) async throws -> Clown {
        let recordID = CKRecord.ID(recordName: clown.id)
        var record = CKRecord(recordType: Clown.recordType, recordID: recordID)
        clown.write(to: &record)
        return try Clown(try await database.save(record))
    }

    /// The clowns of one party, or of all parties if `party` is nil, sorted by name.
    func list(party: Party.ID?, limit: Int) async throws -> (clowns: RecordList<Clown>, hasMore: Bool) {
        let predicate =
            party.map { BackReference.predicate(Clown.Key.party, to: $0) } ?? NSPredicate(value: true)
        let query = CKQuery(recordType: Clown.recordType, predicate: predicate)
        query.sortDescriptors = [NSSortDescriptor(key: Clown.Key.name, ascending: true)]
        let answer = try await table.all(query, limit: limit)
        return (answer.found, answer.hasMore)
    }

    func remove(_ id: Clown.ID) async throws {
        try await database.deleteRecord(withID: CKRecord.ID(recordName: id))
    }
}
