import Cloudlet
import Foundation

/// The parties in the public database.
struct PartyRepository: Sendable {
    let database: CKDatabase

    /// Look-ups of parties by ID and name.
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

    /// Saves a new party. Throws a conflict if a record with its ID exists.
    func create(_ party: Party) async throws -> Party {
        let recordID = CKRecord.ID(recordName: party.id)
        var record = CKRecord(recordType: Party.recordType, recordID: recordID)
        party.write(to: &record)
        return try Party(try await database.save(record))
    }

    /// The parties that match a filter, in the filter's order, and whether there are more than its limit.
    ///
    /// - Parameter now: The time from which parties are upcoming.
    func list(_ filter: PartyFilter, now: Date) async throws -> (parties: RecordList<Party>, hasMore: Bool) {
        guard filter.order == .upcoming else { return try await list(filter) }
        var byDate = filter
        byDate.order = .date
        byDate.isLatestFirst = true
        let latest = try await list(byDate)
        func isUpcoming(_ party: Party) -> Bool { party.starts.map { $0 >= now } ?? false }
        var parties = RecordList<Party>()
        parties.models = latest.parties.models.filter(isUpcoming)
            .sorted { ($0.starts ?? now, $0.name) < ($1.starts ?? now, $1.name) }
        if latest.hasMore {
            // The limit cut the earliest parties off, so the next parties from now on need a query of their
            // own.
            byDate.isLatestFirst = false
            byDate.after = max(filter.after ?? now, now)
            let next = try await list(byDate)
            if next.hasMore { return next }
            parties = next.parties
        }
        let others = latest.parties.models.filter { !isUpcoming($0) }
        parties.models = Array((parties.models + others).prefix(filter.limit))
        parties.unreadable = latest.parties.unreadable
        return (parties, latest.hasMore)
    }

    /// The parties in an order that the server can compute.
    ///
    /// A development database creates a field when the first record with it is saved. Until a party has a
    /// start or a location, the server rejects a query that uses that field. If the filter has a condition on
    /// a start or a distance, or sorts by distance, no party can match, so the result is empty. If the filter
    /// only sorts by date, this method sorts by name instead.
    private func list(
        _ filter: PartyFilter
    ) async throws -> (parties: RecordList<Party>, hasMore: Bool) {
        do {
            var answer = try await table.all(filter.query, limit: filter.limit)
            guard filter.near != nil else { return (answer.found, answer.hasMore) }
            let count = answer.found.models.count
            answer.found.models.removeAll { $0.location == nil }
            // In the order by distance, parties without a location come last.
            let isEnd = filter.order == .distance && answer.found.models.count < count
            return (answer.found, answer.hasMore && !isEnd)
        } catch let error as CKError where error.unknownField != nil {
            let needsField = filter.order == .distance || filter.within != nil || filter.after != nil
            if needsField { return (RecordList(), false) }
            if filter.order == .name { throw error }
            var byName = filter
            byName.order = .name
            return try await list(byName)
        }
    }

    /// Changes some fields of a party. Throws a conflict if the party changes between the fetch and the save.
    func edit(_ id: Party.ID, _ changes: [PartyChange]) async throws -> Party {
        var record = try await database.record(for: CKRecord.ID(recordName: id))
        for change in changes { change.write(to: &record) }
        return try Party(try await database.save(record))
    }

    /// Deletes a party. The server also deletes the clowns, attendees and photos that refer to it.
    func delete(_ id: Party.ID) async throws {
        try await database.deleteRecord(withID: CKRecord.ID(recordName: id))
    }

    /// Subscribes the signed-in person to new parties, with `moment` only to those that start after it. With
    /// `once`, the subscription fires only once. Returns the subscription's ID.
    ///
    /// The push contains the party's name and start, so that a device can show it without a request.
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
