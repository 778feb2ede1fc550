extension CKDatabase {
    /// A change to a zone of a database.
    public enum DatabaseChange {
        /// A zone that is new, or whose records changed.
        public struct Modification: Hashable, Sendable {
            /// The zone's ID.
            public let zoneID: CKRecordZone.ID
        }

        /// A zone that was deleted.
        public struct Deletion: Hashable, Sendable {
            /// The reason for the deletion of a zone.
            public enum Reason: Hashable, Sendable {
                /// Somebody deleted the zone.
                case deleted
                /// The person removed the app's data. Ask before you upload it again.
                case purged
                /// The person reset the encrypted data. The device may upload its copy again.
                case encryptedDataReset
            }

            /// The zone's ID.
            public let zoneID: CKRecordZone.ID
            /// The reason for the deletion.
            public let reason: CKDatabase.DatabaseChange.Deletion.Reason

            /// Whether the person removed the app's data.
            @available(*, deprecated, message: "Look at the reason.")
            public var purged: Bool { reason == .purged }
        }
    }
}
