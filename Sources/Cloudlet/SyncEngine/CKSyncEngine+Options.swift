extension CKSyncEngine {
    /// The options of a fetch.
    public struct FetchChangesOptions: Sendable {
        /// The zones whose records are fetched.
        public enum Scope: Equatable, Sendable {
            /// All zones.
            case all
            /// All zones except these.
            case allExcluding([CKRecordZone.ID])
            /// These zones only.
            case zoneIDs([CKRecordZone.ID])

            /// Whether the records of a zone are fetched.
            public func contains(_ zoneID: CKRecordZone.ID) -> Bool {
                switch self {
                case .all: true
                case .allExcluding(let zones): !zones.contains(zoneID)
                case .zoneIDs(let zones): zones.contains(zoneID)
                }
            }
        }

        /// The zones whose records are fetched; all by default.
        public var scope: CKSyncEngine.FetchChangesOptions.Scope

        /// The group of the operations of the fetch.
        public var operationGroup: CKOperationGroup

        /// The zones to fetch before others, in this order; empty by default.
        public var prioritizedZoneIDs: [CKRecordZone.ID] = []

        /// Creates options. Without an operation group, a new one is created.
        public init(
            scope: CKSyncEngine.FetchChangesOptions.Scope = .all, operationGroup: CKOperationGroup? = nil
        ) {
            self.scope = scope
            self.operationGroup = operationGroup ?? CKOperationGroup()
        }
    }

    /// The options of a send.
    public struct SendChangesOptions: Sendable {
        /// The pending changes that are sent.
        public enum Scope: Equatable, Sendable {
            /// All changes.
            case all
            /// All changes except those in these zones.
            case allExcluding([CKRecordZone.ID])
            /// The changes in these zones only.
            case zoneIDs([CKRecordZone.ID])
            /// The changes of these records only.
            case recordIDs([CKRecord.ID])

            /// Whether the change of a record is sent.
            public func contains(_ recordID: CKRecord.ID) -> Bool {
                switch self {
                case .all: true
                case .allExcluding(let zones): !zones.contains(recordID.zoneID)
                case .zoneIDs(let zones): zones.contains(recordID.zoneID)
                case .recordIDs(let records): records.contains(recordID)
                }
            }

            /// Whether a pending change is sent.
            public func contains(_ pendingChange: CKSyncEngine.PendingRecordZoneChange) -> Bool {
                contains(pendingChange.recordID)
            }

            /// Whether the change of a zone is sent. With a scope of records it is sent if one of them is in
            /// the zone.
            func contains(_ pendingChange: CKSyncEngine.PendingDatabaseChange) -> Bool {
                let zone = pendingChange.zoneID
                return switch self {
                case .all: true
                case .allExcluding(let zones): !zones.contains(zone)
                case .zoneIDs(let zones): zones.contains(zone)
                case .recordIDs(let records): records.contains { $0.zoneID == zone }
                }
            }
        }

        /// The pending changes that are sent; all by default.
        public var scope: CKSyncEngine.SendChangesOptions.Scope

        /// The group of the operations of the send.
        public var operationGroup: CKOperationGroup

        /// Creates options. Without an operation group, a new one is created.
        public init(
            scope: CKSyncEngine.SendChangesOptions.Scope = .all, operationGroup: CKOperationGroup? = nil
        ) {
            self.scope = scope
            self.operationGroup = operationGroup ?? CKOperationGroup()
        }
    }

    /// The reason for a fetch or a send.
    public enum SyncReason: Hashable, Sendable {
        /// The engine started it automatically: after a push, for a pending change, or to retry after an
        /// error.
        case scheduled
        /// The app called `fetchChanges(_:)` or `sendChanges(_:)`.
        case manual
    }

    /// The fetch to which an event or a delegate call belongs.
    public struct FetchChangesContext: Sendable {
        /// The reason for the fetch.
        public let reason: CKSyncEngine.SyncReason
        /// The options that the fetch was started with.
        public let options: CKSyncEngine.FetchChangesOptions
    }

    /// The send to which an event or a delegate call belongs.
    public struct SendChangesContext: Sendable {
        /// The reason for the send.
        public let reason: CKSyncEngine.SyncReason
        /// The options that the send was started with.
        public let options: CKSyncEngine.SendChangesOptions
    }
}

extension CKSyncEngine.FetchChangesOptions: CustomStringConvertible {
    /// The scope and the prioritized zones, for logs.
    public var description: String {
        let first = prioritizedZoneIDs.map(\.zoneName)
        return first.isEmpty ? "\(scope)" : "\(scope), first \(first.joined(separator: ", "))"
    }
}

extension CKSyncEngine.FetchChangesOptions.Scope: CustomStringConvertible {
    /// The scope, for logs.
    public var description: String {
        switch self {
        case .all: "all"
        case .allExcluding(let zones): "all excluding \(zones.map(\.zoneName).joined(separator: ", "))"
        case .zoneIDs(let zones): "zones \(zones.map(\.zoneName).joined(separator: ", "))"
        }
    }
}

extension CKSyncEngine.SendChangesOptions: CustomStringConvertible {
    /// The scope, for logs.
    public var description: String { "\(scope)" }
}

extension CKSyncEngine.SendChangesOptions.Scope: CustomStringConvertible {
    /// The scope, for logs.
    public var description: String {
        switch self {
        case .all: "all"
        case .allExcluding(let zones): "all excluding \(zones.map(\.zoneName).joined(separator: ", "))"
        case .zoneIDs(let zones): "zones \(zones.map(\.zoneName).joined(separator: ", "))"
        case .recordIDs(let records): "records \(records.map(\.recordName).joined(separator: ", "))"
        }
    }
}

extension CKSyncEngine.SyncReason: CustomStringConvertible {
    /// The reason, for logs.
    public var description: String {
        switch self {
        case .scheduled: "scheduled"
        case .manual: "manual"
        }
    }
}

extension CKSyncEngine.FetchChangesContext: CustomStringConvertible {
    /// The reason and the options, for logs.
    public var description: String { "\(reason), \(options)" }
}

extension CKSyncEngine.SendChangesContext: CustomStringConvertible {
    /// The reason and the options, for logs.
    public var description: String { "\(reason), \(options)" }
}
