import CloudKit

actor Notebook: CKSyncEngineDelegate {
    private(set) var texts: [CKRecord.ID: String] = [:]
    private var versions: [CKRecord.ID: CKRecord] = [:]
    /// The state to store with the notes, and to pass to the next engine.
    private(set) var state: CKSyncEngine.State.Serialization?

    func write(_ text: String, to id: CKRecord.ID, _ engine: CKSyncEngine) {
        texts[id] = text
        engine.state.add(pendingRecordZoneChanges: [.saveRecord(id)])
    }

    func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
        switch event {
        case .stateUpdate(let update): state = update.stateSerialization
        case .fetchedRecordZoneChanges(let changes):
            for record in changes.modifications.map(\.record) { keep(record) }
            for deletion in changes.deletions { texts[deletion.recordID] = nil }
        case .sentRecordZoneChanges(let sent):
            for record in sent.savedRecords { versions[record.recordID] = record }
            for failure in sent.failedRecordSaves { resolve(failure, syncEngine) }
        case .accountChange(let change):
            if case .signIn = change.changeType { break }
            (texts, versions) = ([:], [:])
        default: break
        }
    }

    func nextRecordZoneChangeBatch(
        _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch? {
        let scope = context.options.scope
        let changes = syncEngine.state.pendingRecordZoneChanges.filter { scope.contains($0) }
        return await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: changes) { await self.record($0) }
    }

    private func record(_ id: CKRecord.ID) -> CKRecord? {
        guard let text = texts[id] else { return nil }
        let record = versions[id] ?? CKRecord(recordType: "Note", recordID: id)
        record["text"] = text
        return record
    }

    private func keep(_ record: CKRecord) {
        versions[record.recordID] = record
        texts[record.recordID] = record["text"] as? String
    }

    private func resolve(
        _ failure: CKSyncEngine.Event.SentRecordZoneChanges.FailedRecordSave, _ engine: CKSyncEngine
    ) {
        let id = failure.record.recordID
        switch failure.error.code {
        case .serverRecordChanged: versions[id] = failure.error.serverRecord
        case .zoneNotFound:
            versions[id] = nil
            engine.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: id.zoneID))])
        case .unknownItem: versions[id] = nil
        default: return
        }
        engine.state.add(pendingRecordZoneChanges: [.saveRecord(id)])
    }
}
