import Cloudlet
import Foundation

/// Parties in the cloud.
struct PartyRepository: Sendable {
    let database: CKDatabase

    /// Finding parties by identifier and name.
    var table: RecordTable<Party> {
        let keys = [Party.Key.name, Party.Key.summary, Party.Key.place, Party.Key.location]
        return RecordTable(
            database: database,
            recordType: Party.recordType,
            keys: keys + [Party.Key.starts, Party.Key.ends],
            read: { try Party($0) },
            name: { $0.name }
        )
    }

    /// Stores a new party; throws a conflict when its identifier is taken.
    func create(_ party: Party) async throws -> Party {
        let recordID = CKRecord.ID(recordName: party.id)
        var record = CKRecord(recordType: Party.recordType, recordID: recordID)
        party.write(to: &record)
        return try Party(try await database.save(record))
    }

    /// The parties that a filter lets through, in its order, and whether there are more.
    ///
    /// A development database learns a field from the first record that has it. As long as no party has a
    /// start or a place, there is nothing to sort by but the name, and no party meets a condition on it.
    func list(_ filter: PartyFilter) async throws -> (parties: Listing<Party>, hasMore: Bool) {
        do {
            let answer = try await table.all(filter.query, limit: filter.limit)
            return (answer.found, answer.hasMore)
        } catch let error as CKError where error.unknownField != nil {
            if filter.within != nil || filter.after != nil { return (Listing(), false) }
            if filter.order == .name { throw error }
            var byName = filter
            byName.order = .name
            return try await list(byName)
        }
    }

    /// Changes some fields; throws a conflict when somebody else changed the party since it was fetched.
    func edit(_ id: Party.ID, _ changes: [PartyChange]) async throws -> Party {
        var record = try await database.record(for: CKRecord.ID(recordName: id))
        for change in changes { change.write(to: &record) }
        return try Party(try await database.save(record))
    }

    /// Deletes a party; the server deletes with it what points at it.
    func delete(_ id: Party.ID) async throws {
        try await database.deleteRecord(withID: CKRecord.ID(recordName: id))
    }

    /// Tells the person who is signed in of parties that are created; with a moment, only of those that start
    /// later. Answers the subscription's identifier.
    ///
    /// The party's name and start travel in the push, so that it can be shown without a request.
    func subscribe(
        after moment: Date?, once: Bool, showing info: CKSubscription.NotificationInfo
    ) async throws -> String {
        let predicate =
            moment.map { NSPredicate(format: "\(Party.Key.starts) > %@", $0 as NSDate) }
            ?? NSPredicate(value: true)
        var options: CKQuerySubscription.Options = [.firesOnRecordCreation]
        if once { options.insert(.firesOnce) }
        let subscription = CKQuerySubscription(
            recordType: Party.recordType, predicate: predicate, subscriptionID: "parties", options: options)
        info.desiredKeys = [Party.Key.name, Party.Key.starts]
        subscription.notificationInfo = info
        return try await database.save(subscription).subscriptionID
    }
}
