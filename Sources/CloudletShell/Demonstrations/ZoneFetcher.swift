import Cloudlet
import Foundation
import Synchronization

/// Fills and fetches zones of the private database.
struct ZoneFetcher: Sendable {
    static let recordType = "Joke"

    let database: CKDatabase

    /// Creates a zone if necessary, and saves one record in it for each identifier.
    func fill(_ zoneName: String, with ids: [String]) async throws {
        _ = try await HalvingSaver(database: database).save(try await newRecords(zoneName, ids))
    }

    /// Creates the zone and saves the records like `fill`, but in one atomic batch. Returns the outcome for
    /// each record in order.
    func fillAtomically(
        _ zoneName: String, with ids: [String]
    ) async throws -> [(name: String, result: Result<Void, any Error>)] {
        let records = try await newRecords(zoneName, ids)
        let answer = try await database.modifyRecords(saving: records, deleting: [], atomically: true)
        return records.compactMap { record in
            answer.saveResults[record.recordID].map { (record.recordID.recordName, $0.map { _ in }) }
        }
    }

    /// New records for a zone, which is created if necessary.
    private func newRecords(_ zoneName: String, _ ids: [String]) async throws -> [CKRecord] {
        let zone = CKRecordZone(zoneName: zoneName)
        try await database.save(zone)
        return ids.map { id in
            let recordID = CKRecord.ID(recordName: id, zoneID: zone.zoneID)
            let record = CKRecord(recordType: Self.recordType, recordID: recordID)
            record["text"] = "Why did the clown cross the ring?"
            return record
        }
    }

    /// Fetches the changes since the token of `cache`. Returns the cache with every page that arrived, even
    /// if the fetch failed later.
    ///
    /// - Parameter keep: Called with the cache after each page and its token.
    func fetch(
        _ zoneName: String, into cache: ZoneCache, pageSize: Int,
        keep: @escaping @Sendable (ZoneCache) throws -> Void = { _ in }
    ) async -> (cache: ZoneCache, error: (any Error)?) {
        let zoneID = CKRecordZone.ID(zoneName: zoneName)
        let progress = Progress(cache, keep)
        let configuration = CKFetchRecordZoneChangesOperation.ZoneConfiguration(
            previousServerChangeToken: cache.token, resultsLimit: pageSize)
        let operation = CKFetchRecordZoneChangesOperation(
            recordZoneIDs: [zoneID], configurationsByRecordZoneID: [zoneID: configuration])
        // A person waits for the result.
        operation.qualityOfService = .userInitiated
        operation.recordWasChangedBlock = { id, result in
            switch result {
            case .success: progress.receive(id.recordName)
            case .failure(let error): progress.end(.failure(error))
            }
        }
        operation.recordWithIDWasDeletedBlock = { id, _ in progress.remove(id.recordName) }
        operation.recordZoneChangeTokensUpdatedBlock = { _, token, _ in
            if let token { progress.commit(token) }
        }
        operation.recordZoneFetchResultBlock = { _, result in
            progress.end(result.map(\.serverChangeToken))
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                operation.fetchRecordZoneChangesResultBlock = { result in
                    if case .failure(let error) = result { progress.end(.failure(error)) }
                    continuation.resume()
                }
                database.add(operation)
            }
        } onCancel: {
            operation.cancel()
        }
        return progress.outcome
    }

    /// The cache while an operation fills it on another thread.
    private final class Progress: Sendable {
        private let state: Mutex<(cache: ZoneCache, error: (any Error)?)>
        private let keep: @Sendable (ZoneCache) throws -> Void

        init(_ cache: ZoneCache, _ keep: @escaping @Sendable (ZoneCache) throws -> Void) {
            var cache = cache
            cache.begin()
            state = Mutex((cache, nil))
            self.keep = keep
        }

        var outcome: (cache: ZoneCache, error: (any Error)?) { state.withLock { $0 } }

        func receive(_ name: String) { state.withLock { $0.cache.receive(name) } }

        func remove(_ name: String) { state.withLock { $0.cache.remove(name) } }

        /// Stores the page, unless a record failed: then the next fetch starts before that record again.
        func commit(_ token: CKServerChangeToken) {
            state.withLock { state in
                guard state.error == nil else { return }
                state.cache.commit(token)
                do { try keep(state.cache) } catch { state.error = error }
            }
        }

        func end(_ result: Result<CKServerChangeToken, any Error>) {
            switch result {
            case .success(let token): commit(token)
            case .failure(let error):
                state.withLock { state in
                    state.error = error
                    guard Self.endsCache(error) else { return }
                    state.cache.forget()
                    do { try keep(state.cache) } catch { state.error = error }
                }
            }
        }

        /// Whether the cache must be dropped: its token has expired, because the server no longer has all
        /// deletions since then, or the zone was deleted.
        private static func endsCache(_ error: any Error) -> Bool {
            switch (error as? CKError)?.code {
            case .changeTokenExpired, .zoneNotFound, .userDeletedZone: true
            default: false
            }
        }
    }
}
