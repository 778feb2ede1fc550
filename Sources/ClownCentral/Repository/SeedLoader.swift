import Cloudlet
import Foundation

/// Saves the parties and clowns of a seed set. Seeds have fixed record names, so loading a set twice creates
/// no duplicates.
struct SeedLoader: Sendable {
    let database: CKDatabase

    private static let concurrentBatches = 4

    /// Saves all parties, then all clowns. Returns the numbers of parties and clowns, and the number of
    /// records (`refused`) that the server refused because another person had created them.
    func load(_ seeds: [SeedParty]) async throws -> (parties: Int, clowns: Int, refused: Int) {
        var refused = try await save(seeds.map(Self.record))
        let clowns = Self.clowns(of: seeds)
        refused += try await save(clowns)
        return (seeds.count, clowns.count, refused)
    }

    /// The records of a seed set, parties before their clowns.
    static func records(of seeds: [SeedParty]) -> [CKRecord] {
        seeds.map(record) + clowns(of: seeds)
    }

    private static func clowns(of seeds: [SeedParty]) -> [CKRecord] {
        seeds.flatMap { seed in seed.clowns.map { record($0, party: seed.recordName) } }
    }

    /// Saves records in batches, several at a time, so that client and server work in parallel.
    private func save(_ records: [CKRecord]) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            var refused = 0
            for (index, batch) in records.chunks(of: Batch.maximumRecords).enumerated() {
                if index >= Self.concurrentBatches { refused += try await group.next() ?? 0 }
                group.addTask { try await save(batch: batch) }
            }
            return try await group.reduce(refused, +)
        }
    }

    /// Saves a batch. Returns the number of records that another person had created before.
    private func save(batch: [CKRecord]) async throws -> Int {
        let answer = try await database.modifyRecords(
            saving: batch,
            deleting: [],
            savePolicy: .allKeys,
            atomically: false
        )
        var refused: [CKRecord.ID: CKError] = [:]
        for (recordID, result) in answer.saveResults {
            do {
                _ = try result.get()
            } catch let error as CKError where error.code == .permissionFailure {
                refused[recordID] = error
            }
        }
        if refused.isEmpty { return 0 }
        // Only a record that exists can be another person's. If a refused one does not exist, this person may
        // not create such records, which is an error.
        for (recordID, result) in try await database.records(for: Array(refused.keys), desiredKeys: []) {
            if case .failure = result, let error = refused[recordID] { throw error }
        }
        return refused.count
    }

    private static func record(_ seed: SeedParty) -> CKRecord {
        let party = Party(
            id: seed.recordName,
            name: seed.name,
            summary: seed.summary,
            place: seed.place,
            location: Coordinate(latitude: seed.latitude, longitude: seed.longitude),
            starts: seed.starts,
            ends: seed.ends
        )
        var record = CKRecord(recordType: Party.recordType, recordID: CKRecord.ID(recordName: party.id))
        party.write(to: &record)
        return record
    }

    private static func record(_ seed: SeedClown, party: Party.ID) -> CKRecord {
        let clown = Clown(id: seed.recordName, name: seed.name, act: seed.act, partyID: party)
        var record = CKRecord(recordType: Clown.recordType, recordID: CKRecord.ID(recordName: clown.id))
        clown.write(to: &record)
        return record
    }
}
