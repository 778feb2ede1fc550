import Cloudlet
import Foundation

/// Sharing with other people. The server can share only records that were sent: sync first.
extension Device {
    /// Invites a person to read and edit a model, and the records below it by `parent`. Another invitation to
    /// the same model adds a person to its share. Returns the URL at which the person accepts.
    func share(_ id: String, with address: String) async throws -> URL? {
        let database = cloud.privateCloudDatabase
        let zone = CKRecordZone.ID(zoneName: Repository.zone)
        let record = try await database.record(for: CKRecord.ID(recordName: id, zoneID: zone))
        var known: CKShare?
        if let reference = record.share {
            known = try await database.record(for: reference.recordID) as? CKShare
        }
        let share = known ?? CKShare(rootRecord: record)
        let guest = try await cloud.shareParticipant(forEmailAddress: address)
        guest.permission = .readWrite
        share.addParticipant(guest)
        // A new share is saved together with its root.
        let records = known == nil ? [record, share] : [share]
        let saved = try await database.modifyRecords(saving: records, deleting: [])
        for result in saved.saveResults.values { _ = try result.get() }
        return share.url
    }

    /// Accepts the share at a URL. Its records are in the shared database from then on.
    func accept(_ url: URL) async throws {
        try await cloud.accept(try await cloud.shareMetadata(for: url))
    }

    /// The models that other people share with the signed-in person, fetched from the server.
    func shared<Kind: Model>(_ type: Kind.Type) async throws -> [Kind] {
        let database = cloud.sharedCloudDatabase
        let query = CKQuery(recordType: Kind.recordType, predicate: NSPredicate(value: true))
        var models: [Kind] = []
        for zone in try await database.allRecordZones() {
            var (matches, cursor) = try await database.records(
                matching: query, inZoneWith: zone.zoneID, desiredKeys: nil)
            while let next = cursor {
                let page = try await database.records(continuingMatchFrom: next)
                matches += page.matchResults
                cursor = page.queryCursor
            }
            models += try matches.map { Kind(try $0.1.get()) }
        }
        return models
    }
}
