extension CKSyncEngine.Event: CustomStringConvertible {
    /// The name of the event and its payload, for logs.
    public var description: String {
        switch self {
        case .stateUpdate(let event): "stateUpdate(\(event))"
        case .accountChange(let event): "accountChange(\(event))"
        case .fetchedDatabaseChanges(let event): "fetchedDatabaseChanges(\(event))"
        case .fetchedRecordZoneChanges(let event): "fetchedRecordZoneChanges(\(event))"
        case .sentDatabaseChanges(let event): "sentDatabaseChanges(\(event))"
        case .sentRecordZoneChanges(let event): "sentRecordZoneChanges(\(event))"
        case .willFetchChanges(let event): "willFetchChanges(\(event))"
        case .willFetchRecordZoneChanges(let event): "willFetchRecordZoneChanges(\(event))"
        case .didFetchRecordZoneChanges(let event): "didFetchRecordZoneChanges(\(event))"
        case .didFetchChanges(let event): "didFetchChanges(\(event))"
        case .willSendChanges(let event): "willSendChanges(\(event))"
        case .didSendChanges(let event): "didSendChanges(\(event))"
        }
    }
}

extension CKSyncEngine.Event.StateUpdate: CustomStringConvertible {
    /// The number of pending changes, for logs.
    public var description: String { "\(stateSerialization)" }
}

extension CKSyncEngine.Event.AccountChange: CustomStringConvertible {
    /// The kind of account change, for logs.
    public var description: String {
        switch changeType {
        case .signIn(let user): "sign-in of \(user.recordName)"
        case .signOut(let user): "sign-out of \(user.recordName)"
        case .switchAccounts(let old, let new): "switch from \(old.recordName) to \(new.recordName)"
        }
    }
}

extension CKSyncEngine.Event.FetchedDatabaseChanges: CustomStringConvertible {
    /// The names of the zones, for logs.
    public var description: String {
        let changed = modifications.map(\.zoneID.zoneName).joined(separator: ", ")
        let gone = deletions.map { "\($0.zoneID.zoneName) (\($0.reason))" }.joined(separator: ", ")
        return "changed: \(changed); deleted: \(gone)"
    }
}

extension CKSyncEngine.Event.FetchedRecordZoneChanges: CustomStringConvertible {
    /// The number of records, for logs.
    public var description: String { "\(modifications.count) changed, \(deletions.count) deleted" }
}

extension CKSyncEngine.Event.SentDatabaseChanges: CustomStringConvertible {
    /// The number of zones, for logs.
    public var description: String {
        "\(savedZones.count) saved, \(failedZoneSaves.count) not saved, \(deletedZoneIDs.count) deleted, "
            + "\(failedZoneDeletes.count) not deleted"
    }
}

extension CKSyncEngine.Event.SentDatabaseChanges.FailedZoneSave: CustomStringConvertible {
    /// The zone and the error, for logs.
    public var description: String { "\(zone.zoneID.zoneName): \(error.localizedDescription)" }
}

extension CKSyncEngine.Event.SentRecordZoneChanges: CustomStringConvertible {
    /// The number of records, for logs.
    public var description: String {
        "\(savedRecords.count) saved, \(failedRecordSaves.count) not saved, \(deletedRecordIDs.count) "
            + "deleted, \(failedRecordDeletes.count) not deleted"
    }
}

extension CKSyncEngine.Event.SentRecordZoneChanges.FailedRecordSave: CustomStringConvertible {
    /// The record and the error, for logs.
    public var description: String { "\(record.recordID.recordName): \(error.localizedDescription)" }
}

extension CKSyncEngine.Event.WillFetchChanges: CustomStringConvertible {
    /// The fetch, for logs.
    public var description: String { "\(context)" }
}

extension CKSyncEngine.Event.WillFetchRecordZoneChanges: CustomStringConvertible {
    /// The zone, for logs.
    public var description: String { zoneID.zoneName }
}

extension CKSyncEngine.Event.DidFetchRecordZoneChanges: CustomStringConvertible {
    /// The zone and the error, for logs.
    public var description: String {
        error.map { "\(zoneID.zoneName): \($0.localizedDescription)" } ?? zoneID.zoneName
    }
}

extension CKSyncEngine.Event.DidFetchChanges: CustomStringConvertible {
    /// The fetch, for logs.
    public var description: String { "\(context)" }
}

extension CKSyncEngine.Event.WillSendChanges: CustomStringConvertible {
    /// The send, for logs.
    public var description: String { "\(context)" }
}

extension CKSyncEngine.Event.DidSendChanges: CustomStringConvertible {
    /// The send, for logs.
    public var description: String { "\(context)" }
}
