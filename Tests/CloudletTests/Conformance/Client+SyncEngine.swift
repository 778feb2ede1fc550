import CloudKit
import Foundation

extension Client {
    static func useSyncEngine() {
        let _: any (AnyObject & Sendable & CustomStringConvertible).Type = CKSyncEngine.self
        let _: (CKSyncEngine.Configuration) -> CKSyncEngine = CKSyncEngine.init(_:)
        let _: Readable<CKSyncEngine, CKDatabase> = \.database
        let _: Readable<CKSyncEngine, CKSyncEngine.State> = \.state
        let _: (CKSyncEngine) -> (CKSyncEngine.FetchChangesOptions) async throws -> Void = CKSyncEngine
            .fetchChanges(_:)
        let _: (CKSyncEngine) -> (CKSyncEngine.SendChangesOptions) async throws -> Void = CKSyncEngine
            .sendChanges(_:)
        let _: (CKSyncEngine) -> () async -> Void = CKSyncEngine.cancelOperations
        let _: any (Sendable & CustomStringConvertible).Type = CKSyncEngine.Configuration.self
        let _:
            (CKDatabase, CKSyncEngine.State.Serialization?, any CKSyncEngineDelegate) ->
                CKSyncEngine.Configuration = CKSyncEngine.Configuration.init(
                    database:stateSerialization:delegate:)
        let _: WritableKeyPath<CKSyncEngine.Configuration, CKDatabase> = \CKSyncEngine.Configuration.database
        let _: WritableKeyPath<CKSyncEngine.Configuration, CKSyncEngine.State.Serialization?> =
            \CKSyncEngine.Configuration.stateSerialization
        let _: WritableKeyPath<CKSyncEngine.Configuration, any CKSyncEngineDelegate> =
            \CKSyncEngine.Configuration.delegate
        let _: WritableKeyPath<CKSyncEngine.Configuration, Bool> =
            \CKSyncEngine.Configuration.automaticallySync
        let _: WritableKeyPath<CKSyncEngine.Configuration, CKSubscription.ID?> =
            \CKSyncEngine.Configuration.subscriptionID
    }

    static func useSyncEngineState() {
        let _: any (AnyObject & Sendable).Type = CKSyncEngine.State.self
        let _: Readable<CKSyncEngine.State, [CKSyncEngine.PendingRecordZoneChange]> =
            \.pendingRecordZoneChanges
        let _: Readable<CKSyncEngine.State, [CKSyncEngine.PendingDatabaseChange]> = \.pendingDatabaseChanges
        let _: Writable<CKSyncEngine.State, Bool> = \.hasPendingUntrackedChanges
        let _: Readable<CKSyncEngine.State, [CKRecordZone.ID]> = \.zoneIDsWithUnfetchedServerChanges
        let _: (CKSyncEngine.State) -> ([CKSyncEngine.PendingRecordZoneChange]) -> Void = CKSyncEngine.State
            .add(pendingRecordZoneChanges:)
        let _: (CKSyncEngine.State) -> ([CKSyncEngine.PendingDatabaseChange]) -> Void = CKSyncEngine.State
            .add(pendingDatabaseChanges:)
        let _: (CKSyncEngine.State) -> ([CKSyncEngine.PendingRecordZoneChange]) -> Void = CKSyncEngine.State
            .remove(pendingRecordZoneChanges:)
        let _: (CKSyncEngine.State) -> ([CKSyncEngine.PendingDatabaseChange]) -> Void = CKSyncEngine.State
            .remove(pendingDatabaseChanges:)
        let _: any (Codable & Sendable).Type = CKSyncEngine.State.Serialization.self
        let _: any (Hashable & Sendable & CustomStringConvertible).Type = CKSyncEngine.PendingRecordZoneChange
            .self
        let _: (CKRecord.ID) -> CKSyncEngine.PendingRecordZoneChange = CKSyncEngine.PendingRecordZoneChange
            .saveRecord
        let _: (CKRecord.ID) -> CKSyncEngine.PendingRecordZoneChange = CKSyncEngine.PendingRecordZoneChange
            .deleteRecord
        let _: any (Hashable & Sendable & CustomStringConvertible).Type = CKSyncEngine.PendingDatabaseChange
            .self
        let _: (CKRecordZone) -> CKSyncEngine.PendingDatabaseChange = CKSyncEngine.PendingDatabaseChange
            .saveZone
        let _: (CKRecordZone.ID) -> CKSyncEngine.PendingDatabaseChange = CKSyncEngine.PendingDatabaseChange
            .deleteZone
        let _: any (Sendable & CustomStringConvertible).Type = CKSyncEngine.RecordZoneChangeBatch.self
        let _: WritableKeyPath<CKSyncEngine.RecordZoneChangeBatch, [CKRecord]> =
            \CKSyncEngine.RecordZoneChangeBatch.recordsToSave
        let _: WritableKeyPath<CKSyncEngine.RecordZoneChangeBatch, [CKRecord.ID]> =
            \CKSyncEngine.RecordZoneChangeBatch.recordIDsToDelete
        let _: WritableKeyPath<CKSyncEngine.RecordZoneChangeBatch, Bool> =
            \CKSyncEngine.RecordZoneChangeBatch.atomicByZone
        let _:
            ([CKSyncEngine.PendingRecordZoneChange], @Sendable (CKRecord.ID) async -> CKRecord?) async ->
                CKSyncEngine.RecordZoneChangeBatch? = CKSyncEngine.RecordZoneChangeBatch.init(
                    pendingChanges:recordProvider:)
        let _: ([CKRecord], [CKRecord.ID], Bool) -> CKSyncEngine.RecordZoneChangeBatch = CKSyncEngine
            .RecordZoneChangeBatch.init(recordsToSave:recordIDsToDelete:atomicByZone:)
    }

    static func useSyncEngineOptions() {
        let _: any (Sendable & CustomStringConvertible).Type = CKSyncEngine.FetchChangesOptions.self
        let _: any (Equatable & Sendable & CustomStringConvertible).Type = CKSyncEngine.FetchChangesOptions
            .Scope.self
        let _: [CKSyncEngine.FetchChangesOptions.Scope] = [.all]
        let _: ([CKRecordZone.ID]) -> CKSyncEngine.FetchChangesOptions.Scope = CKSyncEngine
            .FetchChangesOptions.Scope.allExcluding
        let _: ([CKRecordZone.ID]) -> CKSyncEngine.FetchChangesOptions.Scope = CKSyncEngine
            .FetchChangesOptions.Scope.zoneIDs
        let _: (CKSyncEngine.FetchChangesOptions.Scope) -> (CKRecordZone.ID) -> Bool = CKSyncEngine
            .FetchChangesOptions.Scope.contains(_:)
        let _: WritableKeyPath<CKSyncEngine.FetchChangesOptions, CKSyncEngine.FetchChangesOptions.Scope> =
            \CKSyncEngine.FetchChangesOptions.scope
        let _: WritableKeyPath<CKSyncEngine.FetchChangesOptions, CKOperationGroup> =
            \CKSyncEngine.FetchChangesOptions.operationGroup
        let _: WritableKeyPath<CKSyncEngine.FetchChangesOptions, [CKRecordZone.ID]> =
            \CKSyncEngine.FetchChangesOptions.prioritizedZoneIDs
        let _:
            (CKSyncEngine.FetchChangesOptions.Scope, CKOperationGroup?) -> CKSyncEngine.FetchChangesOptions =
                CKSyncEngine.FetchChangesOptions.init(scope:operationGroup:)
        let _: any (Sendable & CustomStringConvertible).Type = CKSyncEngine.FetchChangesContext.self
        let _: Readable<CKSyncEngine.FetchChangesContext, CKSyncEngine.SyncReason> = \.reason
        let _: Readable<CKSyncEngine.FetchChangesContext, CKSyncEngine.FetchChangesOptions> = \.options
        let _: any (Sendable & CustomStringConvertible).Type = CKSyncEngine.SendChangesOptions.self
        let _: any (Equatable & Sendable & CustomStringConvertible).Type = CKSyncEngine.SendChangesOptions
            .Scope.self
        let _: [CKSyncEngine.SendChangesOptions.Scope] = [.all]
        let _: ([CKRecordZone.ID]) -> CKSyncEngine.SendChangesOptions.Scope = CKSyncEngine.SendChangesOptions
            .Scope.allExcluding
        let _: ([CKRecordZone.ID]) -> CKSyncEngine.SendChangesOptions.Scope = CKSyncEngine.SendChangesOptions
            .Scope.zoneIDs
        let _: ([CKRecord.ID]) -> CKSyncEngine.SendChangesOptions.Scope = CKSyncEngine.SendChangesOptions
            .Scope.recordIDs
        let _: (CKSyncEngine.SendChangesOptions.Scope) -> (CKRecord.ID) -> Bool = CKSyncEngine
            .SendChangesOptions.Scope.contains(_:)
        let _: (CKSyncEngine.SendChangesOptions.Scope) -> (CKSyncEngine.PendingRecordZoneChange) -> Bool =
            CKSyncEngine.SendChangesOptions.Scope.contains(_:)
        let _: WritableKeyPath<CKSyncEngine.SendChangesOptions, CKSyncEngine.SendChangesOptions.Scope> =
            \CKSyncEngine.SendChangesOptions.scope
        let _: WritableKeyPath<CKSyncEngine.SendChangesOptions, CKOperationGroup> =
            \CKSyncEngine.SendChangesOptions.operationGroup
        let _: (CKSyncEngine.SendChangesOptions.Scope, CKOperationGroup?) -> CKSyncEngine.SendChangesOptions =
            CKSyncEngine.SendChangesOptions.init(scope:operationGroup:)
        let _: any (Sendable & CustomStringConvertible).Type = CKSyncEngine.SendChangesContext.self
        let _: Readable<CKSyncEngine.SendChangesContext, CKSyncEngine.SyncReason> = \.reason
        let _: Readable<CKSyncEngine.SendChangesContext, CKSyncEngine.SendChangesOptions> = \.options
        let _: any (Hashable & Sendable & CustomStringConvertible).Type = CKSyncEngine.SyncReason.self
        let _: [CKSyncEngine.SyncReason] = [.scheduled, .manual]
    }

    static func useSyncEngineEvents() {
        let _: any (Sendable & CustomStringConvertible).Type = CKSyncEngine.Event.self
        let _: (CKSyncEngine.Event.StateUpdate) -> CKSyncEngine.Event = CKSyncEngine.Event.stateUpdate
        let _: any (Sendable & CustomStringConvertible).Type = CKSyncEngine.Event.StateUpdate.self
        let _: (CKSyncEngine.Event.AccountChange) -> CKSyncEngine.Event = CKSyncEngine.Event.accountChange
        let _: any (Sendable & CustomStringConvertible).Type = CKSyncEngine.Event.AccountChange.self
        let _: (CKSyncEngine.Event.FetchedDatabaseChanges) -> CKSyncEngine.Event = CKSyncEngine.Event
            .fetchedDatabaseChanges
        let _: any (Sendable & CustomStringConvertible).Type = CKSyncEngine.Event.FetchedDatabaseChanges.self
        let _: (CKSyncEngine.Event.FetchedRecordZoneChanges) -> CKSyncEngine.Event = CKSyncEngine.Event
            .fetchedRecordZoneChanges
        let _: any (Sendable & CustomStringConvertible).Type = CKSyncEngine.Event.FetchedRecordZoneChanges
            .self
        let _: (CKSyncEngine.Event.SentDatabaseChanges) -> CKSyncEngine.Event = CKSyncEngine.Event
            .sentDatabaseChanges
        let _: any (Sendable & CustomStringConvertible).Type = CKSyncEngine.Event.SentDatabaseChanges.self
        let _: (CKSyncEngine.Event.SentRecordZoneChanges) -> CKSyncEngine.Event = CKSyncEngine.Event
            .sentRecordZoneChanges
        let _: any (Sendable & CustomStringConvertible).Type = CKSyncEngine.Event.SentRecordZoneChanges.self
        let _: (CKSyncEngine.Event.WillFetchChanges) -> CKSyncEngine.Event = CKSyncEngine.Event
            .willFetchChanges
        let _: any (Sendable & CustomStringConvertible).Type = CKSyncEngine.Event.WillFetchChanges.self
        let _: (CKSyncEngine.Event.WillFetchRecordZoneChanges) -> CKSyncEngine.Event = CKSyncEngine.Event
            .willFetchRecordZoneChanges
        let _: any (Sendable & CustomStringConvertible).Type = CKSyncEngine.Event.WillFetchRecordZoneChanges
            .self
        let _: (CKSyncEngine.Event.DidFetchRecordZoneChanges) -> CKSyncEngine.Event = CKSyncEngine.Event
            .didFetchRecordZoneChanges
        let _: any (Sendable & CustomStringConvertible).Type = CKSyncEngine.Event.DidFetchRecordZoneChanges
            .self
        let _: (CKSyncEngine.Event.DidFetchChanges) -> CKSyncEngine.Event = CKSyncEngine.Event.didFetchChanges
        let _: any (Sendable & CustomStringConvertible).Type = CKSyncEngine.Event.DidFetchChanges.self
        let _: (CKSyncEngine.Event.WillSendChanges) -> CKSyncEngine.Event = CKSyncEngine.Event.willSendChanges
        let _: any (Sendable & CustomStringConvertible).Type = CKSyncEngine.Event.WillSendChanges.self
        let _: (CKSyncEngine.Event.DidSendChanges) -> CKSyncEngine.Event = CKSyncEngine.Event.didSendChanges
        let _: any (Sendable & CustomStringConvertible).Type = CKSyncEngine.Event.DidSendChanges.self
    }

    static func useSyncEnginePayloads() {
        let _: Readable<CKSyncEngine.Event.StateUpdate, CKSyncEngine.State.Serialization> =
            \.stateSerialization
        let _: Readable<CKSyncEngine.Event.AccountChange, CKSyncEngine.Event.AccountChange.ChangeType> =
            \.changeType
        let _: any (Equatable & Sendable).Type = CKSyncEngine.Event.AccountChange.ChangeType.self
        let _: (CKRecord.ID) -> CKSyncEngine.Event.AccountChange.ChangeType = CKSyncEngine.Event.AccountChange
            .ChangeType.signIn
        let _: (CKRecord.ID) -> CKSyncEngine.Event.AccountChange.ChangeType = CKSyncEngine.Event.AccountChange
            .ChangeType.signOut
        let _: (CKRecord.ID, CKRecord.ID) -> CKSyncEngine.Event.AccountChange.ChangeType = CKSyncEngine.Event
            .AccountChange.ChangeType.switchAccounts
        let _: Readable<CKSyncEngine.Event.FetchedDatabaseChanges, [CKDatabase.DatabaseChange.Modification]> =
            \.modifications
        let _: Readable<CKSyncEngine.Event.FetchedDatabaseChanges, [CKDatabase.DatabaseChange.Deletion]> =
            \.deletions
        let _:
            Readable<
                CKSyncEngine.Event.FetchedRecordZoneChanges, [CKDatabase.RecordZoneChange.Modification]
            > =
                \.modifications
        let _: Readable<CKSyncEngine.Event.FetchedRecordZoneChanges, [CKDatabase.RecordZoneChange.Deletion]> =
            \.deletions
        let _: Readable<CKSyncEngine.Event.SentDatabaseChanges, [CKRecordZone]> = \.savedZones
        let _:
            Readable<
                CKSyncEngine.Event.SentDatabaseChanges,
                [CKSyncEngine.Event.SentDatabaseChanges.FailedZoneSave]
            > = \.failedZoneSaves
        let _: Readable<CKSyncEngine.Event.SentDatabaseChanges, [CKRecordZone.ID]> = \.deletedZoneIDs
        let _: Readable<CKSyncEngine.Event.SentDatabaseChanges, [CKRecordZone.ID: CKError]> =
            \.failedZoneDeletes
        let _: any (Sendable & CustomStringConvertible).Type = CKSyncEngine.Event.SentDatabaseChanges
            .FailedZoneSave.self
        let _: Readable<CKSyncEngine.Event.SentDatabaseChanges.FailedZoneSave, CKRecordZone> = \.zone
        let _: Readable<CKSyncEngine.Event.SentDatabaseChanges.FailedZoneSave, CKError> = \.error
        let _: Readable<CKSyncEngine.Event.SentRecordZoneChanges, [CKRecord]> = \.savedRecords
        let _:
            Readable<
                CKSyncEngine.Event.SentRecordZoneChanges,
                [CKSyncEngine.Event.SentRecordZoneChanges.FailedRecordSave]
            > = \.failedRecordSaves
        let _: Readable<CKSyncEngine.Event.SentRecordZoneChanges, [CKRecord.ID]> = \.deletedRecordIDs
        let _: Readable<CKSyncEngine.Event.SentRecordZoneChanges, [CKRecord.ID: CKError]> =
            \.failedRecordDeletes
        let _: any (Sendable & CustomStringConvertible).Type = CKSyncEngine.Event.SentRecordZoneChanges
            .FailedRecordSave.self
        let _: Readable<CKSyncEngine.Event.SentRecordZoneChanges.FailedRecordSave, CKRecord> = \.record
        let _: Readable<CKSyncEngine.Event.SentRecordZoneChanges.FailedRecordSave, CKError> = \.error
        let _: Readable<CKSyncEngine.Event.WillFetchRecordZoneChanges, CKRecordZone.ID> = \.zoneID
        let _: Readable<CKSyncEngine.Event.DidFetchRecordZoneChanges, CKRecordZone.ID> = \.zoneID
        let _: Readable<CKSyncEngine.Event.DidFetchRecordZoneChanges, CKError?> = \.error
        let _: Readable<CKSyncEngine.Event.WillFetchChanges, CKSyncEngine.FetchChangesContext> = \.context
        let _: Readable<CKSyncEngine.Event.DidFetchChanges, CKSyncEngine.FetchChangesContext> = \.context
        let _: Readable<CKSyncEngine.Event.WillSendChanges, CKSyncEngine.SendChangesContext> = \.context
        let _: Readable<CKSyncEngine.Event.DidSendChanges, CKSyncEngine.SendChangesContext> = \.context
    }

    static func useSyncEngineDelegate<Delegate: CKSyncEngineDelegate>(_: Delegate.Type) {
        let _: any (AnyObject & Sendable).Type = Delegate.self
        let _: (Delegate) -> (CKSyncEngine.Event, CKSyncEngine) async -> Void =
            Delegate.handleEvent(_:syncEngine:)
        let _:
            (Delegate) -> (CKSyncEngine.SendChangesContext, CKSyncEngine) async
                -> CKSyncEngine.RecordZoneChangeBatch? = Delegate.nextRecordZoneChangeBatch(_:syncEngine:)
        let _:
            (Delegate) -> (CKSyncEngine.FetchChangesContext, CKSyncEngine) async
                -> CKSyncEngine.FetchChangesOptions = Delegate.nextFetchChangesOptions(_:syncEngine:)
    }
}
