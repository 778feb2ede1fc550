extension CKDatabase {
    /// What happened to a zone of a database.
    public enum DatabaseChange {
        /// A zone in which something changed.
        public struct Modification: Hashable, Sendable {
            /// The zone.
            public let zoneID: CKRecordZone.ID
        }

        /// A zone that is gone.
        public struct Deletion: Hashable, Sendable {
            /// Why a zone went.
            public enum Reason: Hashable, Sendable {
                /// Somebody deleted it.
                case deleted
                /// The person removed the app's data: do not upload it again without asking.
                case purged
                /// The person reset encrypted data: what is still here may be uploaded again.
                case encryptedDataReset
            }

            /// The zone.
            public let zoneID: CKRecordZone.ID
            /// Why it went.
            public let reason: CKDatabase.DatabaseChange.Deletion.Reason

            /// Whether the person removed the app's data.
            @available(*, deprecated, message: "Look at the reason.")
            public var purged: Bool { reason == .purged }
        }
    }
}
