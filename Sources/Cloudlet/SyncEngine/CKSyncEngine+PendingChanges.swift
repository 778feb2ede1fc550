extension CKSyncEngine {
    /// A change of a record that is to be sent to the server.
    public enum PendingRecordZoneChange: Hashable, Sendable {
        /// Save the record with this ID.
        case saveRecord(CKRecord.ID)
        /// Delete the record with this ID.
        case deleteRecord(CKRecord.ID)

        /// The ID of the changed record.
        var recordID: CKRecord.ID {
            switch self {
            case .saveRecord(let id), .deleteRecord(let id): id
            }
        }
    }

    /// A change of a zone that is to be sent to the server.
    public enum PendingDatabaseChange: Sendable {
        /// Save the zone.
        case saveZone(CKRecordZone)
        /// Delete the zone with this ID, and all of its records.
        case deleteZone(CKRecordZone.ID)

        /// The ID of the changed zone.
        var zoneID: CKRecordZone.ID {
            switch self {
            case .saveZone(let zone): zone.zoneID
            case .deleteZone(let id): id
            }
        }

        private var isSave: Bool {
            if case .saveZone = self { true } else { false }
        }
    }
}

extension CKSyncEngine.PendingDatabaseChange: Hashable {
    /// Whether both save, or both delete, the zone with the same ID.
    public static func == (
        lhs: CKSyncEngine.PendingDatabaseChange, rhs: CKSyncEngine.PendingDatabaseChange
    ) -> Bool {
        lhs.isSave == rhs.isSave && lhs.zoneID == rhs.zoneID
    }

    /// Consistent with `==`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(isSave)
        hasher.combine(zoneID)
    }
}

extension CKSyncEngine.PendingRecordZoneChange: CustomStringConvertible {
    /// The kind of the change and the record's name, for logs.
    public var description: String {
        switch self {
        case .saveRecord(let id): "saveRecord(\(id.recordName) in \(id.zoneID.zoneName))"
        case .deleteRecord(let id): "deleteRecord(\(id.recordName) in \(id.zoneID.zoneName))"
        }
    }
}

extension CKSyncEngine.PendingDatabaseChange: CustomStringConvertible {
    /// The kind of the change and the zone's name, for logs.
    public var description: String {
        switch self {
        case .saveZone(let zone): "saveZone(\(zone.zoneID.zoneName))"
        case .deleteZone(let id): "deleteZone(\(id.zoneName))"
        }
    }
}
