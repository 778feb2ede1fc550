extension CKDatabase {
    /// What happened to a record of a zone.
    public enum RecordZoneChange {
        /// A record that is new or changed, in its latest state.
        public struct Modification: Hashable, Sendable {
            /// The record.
            public let record: CKRecord
        }

        /// A record that is gone.
        public struct Deletion: Hashable, Sendable {
            /// The record's identity.
            public let recordID: CKRecord.ID
            /// What kind of record it was; empty when the server does not say.
            public let recordType: CKRecord.RecordType
        }
    }
}
