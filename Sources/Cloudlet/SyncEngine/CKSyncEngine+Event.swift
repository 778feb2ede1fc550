extension CKSyncEngine {
    /// An event that an engine reports to its delegate. Events arrive one at a time: the next one waits until
    /// `handleEvent(_:syncEngine:)` has returned.
    public enum Event: Sendable {
        /// The state of the engine has changed. Save it, and create the next engine with it.
        case stateUpdate(CKSyncEngine.Event.StateUpdate)
        /// A person has signed in or out.
        case accountChange(CKSyncEngine.Event.AccountChange)
        /// Zones were changed or deleted on the server.
        case fetchedDatabaseChanges(CKSyncEngine.Event.FetchedDatabaseChanges)
        /// Records were changed or deleted on the server.
        case fetchedRecordZoneChanges(CKSyncEngine.Event.FetchedRecordZoneChanges)
        /// The results of sending a batch of zones.
        case sentDatabaseChanges(CKSyncEngine.Event.SentDatabaseChanges)
        /// The results of sending a batch of records.
        case sentRecordZoneChanges(CKSyncEngine.Event.SentRecordZoneChanges)
        /// A fetch begins.
        case willFetchChanges(CKSyncEngine.Event.WillFetchChanges)
        /// The fetch of a zone's records begins.
        case willFetchRecordZoneChanges(CKSyncEngine.Event.WillFetchRecordZoneChanges)
        /// The fetch of a zone's records has ended.
        case didFetchRecordZoneChanges(CKSyncEngine.Event.DidFetchRecordZoneChanges)
        /// A fetch has ended.
        case didFetchChanges(CKSyncEngine.Event.DidFetchChanges)
        /// A send begins.
        case willSendChanges(CKSyncEngine.Event.WillSendChanges)
        /// A send has ended.
        case didSendChanges(CKSyncEngine.Event.DidSendChanges)
    }
}

extension CKSyncEngine.Event {
    /// The state of the engine has changed.
    public struct StateUpdate: Sendable {
        /// The state to save.
        public let stateSerialization: CKSyncEngine.State.Serialization
    }

    /// A person has signed in or out. The engine has discarded its state and the pending changes of the
    /// previous person.
    public struct AccountChange: Sendable {
        /// The kind of account change.
        public enum ChangeType: Equatable, Sendable {
            /// A person has signed in; also when an engine without a saved state starts.
            case signIn(currentUser: CKRecord.ID)
            /// The person has signed out.
            case signOut(previousUser: CKRecord.ID)
            /// Another person has signed in.
            case switchAccounts(previousUser: CKRecord.ID, currentUser: CKRecord.ID)
        }

        /// The kind of account change.
        public let changeType: CKSyncEngine.Event.AccountChange.ChangeType
    }

    /// Zones were changed or deleted on the server.
    public struct FetchedDatabaseChanges: Sendable {
        /// The zones that are new, or whose records changed.
        public let modifications: [CKDatabase.DatabaseChange.Modification]
        /// The zones that were deleted, with the reason.
        public let deletions: [CKDatabase.DatabaseChange.Deletion]
    }

    /// Records were changed or deleted on the server. All records of an event are in one zone.
    public struct FetchedRecordZoneChanges: Sendable {
        /// The records that are new or changed, in their latest state.
        public let modifications: [CKDatabase.RecordZoneChange.Modification]
        /// The records that were deleted.
        public let deletions: [CKDatabase.RecordZoneChange.Deletion]
    }

    /// The results of sending a batch of zones.
    public struct SentDatabaseChanges: Sendable {
        /// A zone that could not be saved.
        public struct FailedZoneSave: Sendable {
            /// The zone.
            public let zone: CKRecordZone
            /// The error of the save.
            public let error: CKError
        }

        /// The zones that were saved.
        public let savedZones: [CKRecordZone]
        /// The zones that could not be saved.
        public let failedZoneSaves: [CKSyncEngine.Event.SentDatabaseChanges.FailedZoneSave]
        /// The zones that were deleted.
        public let deletedZoneIDs: [CKRecordZone.ID]
        /// The zones that could not be deleted.
        public let failedZoneDeletes: [CKRecordZone.ID: CKError]
    }

    /// The results of sending a batch of records.
    public struct SentRecordZoneChanges: Sendable {
        /// A record that could not be saved.
        public struct FailedRecordSave: Sendable {
            /// The record that was sent.
            public let record: CKRecord
            /// The error of the save.
            public let error: CKError
        }

        /// The records that were saved, with their new change tags.
        public let savedRecords: [CKRecord]
        /// The records that could not be saved. After `networkFailure`, `networkUnavailable`, `zoneBusy`,
        /// `serviceUnavailable`, `notAuthenticated`, `accountTemporarilyUnavailable` and `requestRateLimited`
        /// the change is still pending, and the engine sends it again. All other errors must be handled by
        /// the app.
        public let failedRecordSaves: [CKSyncEngine.Event.SentRecordZoneChanges.FailedRecordSave]
        /// The records that were deleted.
        public let deletedRecordIDs: [CKRecord.ID]
        /// The records that could not be deleted.
        public let failedRecordDeletes: [CKRecord.ID: CKError]
    }

    /// A fetch begins.
    public struct WillFetchChanges: Sendable {
        /// The fetch.
        public let context: CKSyncEngine.FetchChangesContext
    }

    /// The fetch of a zone's records begins.
    public struct WillFetchRecordZoneChanges: Sendable {
        /// The zone.
        public let zoneID: CKRecordZone.ID
    }

    /// The fetch of a zone's records has ended.
    public struct DidFetchRecordZoneChanges: Sendable {
        /// The zone.
        public let zoneID: CKRecordZone.ID
        /// The error that ended the fetch early; nil if all changes of the zone were fetched.
        ///
        /// With `partialFailure`, the server returned errors for the records in it, and all others were
        /// fetched. These records are fetched again when they change; until then the app can fetch them by
        /// their IDs.
        public let error: CKError?
    }

    /// A fetch has ended.
    public struct DidFetchChanges: Sendable {
        /// The fetch.
        public let context: CKSyncEngine.FetchChangesContext
    }

    /// A send begins.
    public struct WillSendChanges: Sendable {
        /// The send.
        public let context: CKSyncEngine.SendChangesContext
    }

    /// A send has ended.
    public struct DidSendChanges: Sendable {
        /// The send.
        public let context: CKSyncEngine.SendChangesContext
    }
}
