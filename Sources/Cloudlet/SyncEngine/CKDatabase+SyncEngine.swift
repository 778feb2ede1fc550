import Foundation
internal import Records

extension CKDatabase {
    /// Fetches a page of the list of changed zones.
    func enginePage(
        since token: CKServerChangeToken?, _ group: CKOperationGroup
    ) async -> Result<EngineDatabasePage, CKError> {
        await attempt { completion in
            let operation = CKFetchDatabaseChangesOperation(previousServerChangeToken: token)
            let found = Locked<([DatabaseChange.Modification], [DatabaseChange.Deletion])>(([], []))
            operation.group = group
            operation.fetchAllChanges = false
            operation.recordZoneWithIDChangedBlock = { id in
                found.withLock { $0.0.append(.init(zoneID: id)) }
            }
            operation.deletionBlock = { deletion in found.withLock { $0.1.append(deletion) } }
            operation.fetchDatabaseChangesResultBlock = { result in
                let (modifications, deletions) = found.current
                completion(
                    result.map { end in
                        EngineDatabasePage(
                            modifications: modifications, deletions: deletions,
                            token: end.serverChangeToken, moreComing: end.moreComing)
                    })
            }
            return operation
        }
    }

    /// Fetches a page of the changes of a zone, in their order.
    func enginePage(
        of zone: CKRecordZone.ID, since token: CKServerChangeToken?, _ group: CKOperationGroup
    ) async -> Result<EngineZonePage, CKError> {
        await attempt { completion in
            let operation = CKFetchRecordZoneChangesOperation(
                recordZoneIDs: [zone],
                configurationsByRecordZoneID: [
                    zone: CKFetchRecordZoneChangesConfiguration(previousServerChangeToken: token)
                ])
            let page = Locked(EngineZonePage(end: .failure(.noResult)))
            operation.group = group
            operation.fetchAllChanges = false
            operation.recordWasChangedBlock = { id, result in
                page.withLock { page in
                    switch result {
                    case .success(let record): page.modifications.append(.init(record: record))
                    case .failure(let error): page.recordErrors[id] = CKError(failure: error)
                    }
                }
            }
            operation.recordWithIDWasDeletedBlock = { id, type in
                page.withLock { $0.deletions.append(.init(recordID: id, recordType: type)) }
            }
            operation.recordZoneFetchResultBlock = { _, result in
                page.withLock { page in
                    page.end = result.mapError { CKError(failure: $0) }.map {
                        EngineZonePage.End(token: $0.serverChangeToken, moreComing: $0.moreComing)
                    }
                }
            }
            operation.fetchRecordZoneChangesResultBlock = { result in
                completion(result.map { page.current })
            }
            return operation
        }
    }

    /// Sends changes of zones in one request.
    func engineSend(
        _ changes: [CKSyncEngine.PendingDatabaseChange], _ group: CKOperationGroup
    ) async -> ZoneResults {
        let results = Locked(ZoneResults())
        var (saves, deletions): ([CKRecordZone], [CKRecordZone.ID]) = ([], [])
        for change in changes {
            switch change {
            case .saveZone(let zone): saves.append(zone)
            case .deleteZone(let id): deletions.append(id)
            }
        }
        let zones = Dictionary(saves.map { ($0.zoneID, $0) }, uniquingKeysWith: { first, _ in first })
        let answered = Locked<Set<CKRecordZone.ID>>([])
        let end: Result<Void, CKError> = await attempt { [saves, deletions] completion in
            let operation = CKModifyRecordZonesOperation(
                recordZonesToSave: saves, recordZoneIDsToDelete: deletions)
            operation.group = group
            operation.perRecordZoneSaveBlock = { id, result in
                answered.withLock { _ = $0.insert(id) }
                results.withLock { results in
                    switch result {
                    case .success(let zone): results.saved.append(zone)
                    case .failure(let error):
                        guard let zone = zones[id] else { return }
                        results.failedSaves.append(.init(zone: zone, error: CKError(failure: error)))
                    }
                }
            }
            operation.perRecordZoneDeleteBlock = { id, result in
                answered.withLock { _ = $0.insert(id) }
                results.withLock { results in
                    switch result {
                    case .success: results.deleted.append(id)
                    case .failure(let error): results.failedDeletes[id] = CKError(failure: error)
                    }
                }
            }
            operation.modifyRecordZonesResultBlock = { completion($0) }
            return operation
        }
        var found = results.current
        guard let error = end.error else { return found }
        let known = answered.current
        found.failure = error
        for zone in saves where !known.contains(zone.zoneID) {
            found.failedSaves.append(.init(zone: zone, error: error))
        }
        for id in deletions where !known.contains(id) { found.failedDeletes[id] = error }
        return found
    }

    /// Sends a batch of records in one request per zone. If the server accepts fewer records per request, a
    /// batch that is not atomic is split.
    func engineSend(
        _ batch: CKSyncEngine.RecordZoneChangeBatch, _ group: CKOperationGroup
    ) async -> RecordResults {
        let most = max(1, core.connection.knownLimits.operationsPerRequest)
        let isWhole = batch.atomicByZone || batch.count <= most
        var results = RecordResults()
        var rest = batch.changes[...]
        let records = Dictionary(
            batch.recordsToSave.map { ($0.recordID, $0) }, uniquingKeysWith: { first, _ in first })
        while !rest.isEmpty {
            let part = isWhole ? rest : rest.prefix(most)
            rest = rest.dropFirst(part.count)
            if let failure = results.failure {
                results.add(failure, to: Array(part), records)
            } else {
                await send(Array(part), records, isAtomic: batch.atomicByZone, group, &results)
            }
        }
        return results
    }

    private func send(
        _ changes: [CKSyncEngine.PendingRecordZoneChange], _ records: [CKRecord.ID: CKRecord],
        isAtomic: Bool, _ group: CKOperationGroup, _ results: inout RecordResults
    ) async {
        let found = Locked(RecordResults())
        let answered = Locked<Set<CKRecord.ID>>([])
        let saves = changes.compactMap { change -> CKRecord? in
            if case .saveRecord(let id) = change { records[id] } else { nil }
        }
        let deletions = changes.compactMap { change -> CKRecord.ID? in
            if case .deleteRecord(let id) = change { id } else { nil }
        }
        let end: Result<Void, CKError> = await attempt { completion in
            let operation = CKModifyRecordsOperation(recordsToSave: saves, recordIDsToDelete: deletions)
            operation.group = group
            operation.isAtomic = isAtomic
            operation.perRecordSaveBlock = { id, result in
                answered.withLock { _ = $0.insert(id) }
                found.withLock { found in
                    switch result {
                    case .success(let record): found.saved.append(record)
                    case .failure(let error):
                        guard let record = records[id] else { return }
                        found.failedSaves.append(.init(record: record, error: CKError(failure: error)))
                    }
                }
            }
            operation.perRecordDeleteBlock = { id, result in
                answered.withLock { _ = $0.insert(id) }
                found.withLock { found in
                    switch result {
                    case .success: found.deleted.append(id)
                    case .failure(let error): found.failedDeletes[id] = CKError(failure: error)
                    }
                }
            }
            operation.modifyRecordsResultBlock = { completion($0) }
            return operation
        }
        var heard = found.current
        await addServerRecords(to: &heard)
        results.saved += heard.saved
        results.failedSaves += heard.failedSaves
        results.deleted += heard.deleted
        results.failedDeletes.merge(heard.failedDeletes) { first, _ in first }
        guard let error = end.error else { return }
        let known = answered.current
        results.failure = error
        results.add(error, to: changes.filter { !known.contains($0.recordID) }, records)
    }

    /// Fetches the server's records for conflicts whose answers do not contain them, because the record to
    /// create already exists, or because the answer had no room for it. An app needs them to merge, because a
    /// delegate callback cannot fetch.
    private func addServerRecords(to results: inout RecordResults) async {
        let places = results.failedSaves.indices.filter { place in
            let error = results.failedSaves[place].error
            return error.code == .serverRecordChanged && error.serverRecord == nil
        }
        guard !places.isEmpty else { return }
        let ids = places.map { results.failedSaves[$0].record.recordID }
        guard let found = try? await records(for: ids) else { return }
        for place in places {
            let failure = results.failedSaves[place]
            guard let record = try? found[failure.record.recordID]?.get() else { continue }
            var userInfo = failure.error.errorUserInfo
            userInfo[CKRecordChangedErrorServerRecordKey] = record
            results.failedSaves[place] = .init(
                record: failure.record, error: CKError(failure.error.code, userInfo: userInfo))
        }
    }

    /// Returns the ID of an existing database subscription, or creates one.
    ///
    /// - Parameters:
    ///   - wanted: the ID that the subscription must have; nil: any.
    ///   - saved: the ID that the engine used last. If there are several, it is preferred.
    func engineSubscription(
        _ wanted: CKSubscription.ID?, known saved: CKSubscription.ID?
    ) async -> Result<CKSubscription.ID, CKError> {
        do {
            let fitting = try await allSubscriptions().filter { subscription in
                guard let subscription = subscription as? CKDatabaseSubscription else { return false }
                return subscription.recordType == nil
                    && wanted.map { $0 == subscription.subscriptionID } ?? true
            }
            let ids = fitting.map(\.subscriptionID)
            if let first = ids.first(where: { $0 == saved }) ?? ids.min() { return .success(first) }
            let name = databaseScope == .shared ? "sync-engine-shared" : "sync-engine"
            let subscription = CKDatabaseSubscription(subscriptionID: wanted ?? name)
            subscription.notificationInfo = CKSubscription.NotificationInfo(shouldSendContentAvailable: true)
            return .success(try await save(subscription).subscriptionID)
        } catch {
            return .failure(CKError(failure: error))
        }
    }

    /// Runs an operation to its end. Cancelling the calling task cancels the operation.
    private func attempt<Value: Sendable>(
        _ make: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> CKDatabaseOperation
    ) async -> Result<Value, CKError> {
        do {
            return .success(try await perform(make))
        } catch {
            return .failure(CKError(failure: error))
        }
    }
}

extension RecordResults {
    /// Adds the error of a request to changes that have no results of their own.
    fileprivate mutating func add(
        _ error: CKError, to changes: [CKSyncEngine.PendingRecordZoneChange],
        _ records: [CKRecord.ID: CKRecord]
    ) {
        for change in changes {
            switch change {
            case .saveRecord(let id):
                if let record = records[id] { failedSaves.append(.init(record: record, error: error)) }
            case .deleteRecord(let id): failedDeletes[id] = error
            }
        }
    }
}
