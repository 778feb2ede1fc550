extension CKDatabase {
    /// A change to a record of a zone.
    public enum RecordZoneChange {
        /// A record that is new or was changed, in its latest state.
        public struct Modification: Hashable, Sendable {
            /// The record in its latest state.
            public let record: CKRecord
        }

        /// A record that was deleted.
        public struct Deletion: Hashable, Sendable {
            /// The record's ID.
            public let recordID: CKRecord.ID
            /// The record's type; empty if the server does not report it.
            public let recordType: CKRecord.RecordType
        }
    }
}
