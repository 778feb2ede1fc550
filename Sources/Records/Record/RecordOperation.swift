/// One operation of a batch.
package struct RecordOperation: Hashable, Sendable {
    /// The raw value is the term of the protocol.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case create
        /// Merges the given fields, if the change tag fits.
        case update
        /// Merges whatever the tag; creates when absent.
        case forceUpdate
        /// Fields not given go, if the change tag fits.
        case replace
        /// Fields not given go, whatever the tag; creates when absent.
        case forceReplace
        case delete
        case forceDelete

        package var isDelete: Bool { self == .delete || self == .forceDelete }
        package var isReplace: Bool { self == .replace || self == .forceReplace }
        package var comparesTag: Bool { self == .update || self == .replace || self == .delete }
        package var mayCreate: Bool { self == .create || self == .forceUpdate || self == .forceReplace }
    }

    /// What happens to the record's parent in the shared hierarchy.
    package enum ParentChange: Hashable, Sendable {
        case keep
        case set(String)
        case remove
    }

    package var kind: Kind
    /// nil asks the server for a name, with `create` only.
    package var recordName: String?
    package var recordType: String?
    /// The version that the operation is based on. With a force operation it only says that the record must
    /// exist.
    package var changeTag: ChangeTag?
    /// Fields that get a value.
    package var fields: Fields
    /// Fields that are removed.
    package var removedFields: [String]
    package var parent: ParentChange
    /// Some clients repeat the zone inside the record; it must agree with the request's.
    package var zone: ZoneID?

    package init(
        _ kind: Kind,
        recordName: String? = nil,
        recordType: String? = nil,
        changeTag: ChangeTag? = nil,
        fields: Fields = Fields(),
        removedFields: [String] = [],
        parent: ParentChange = .keep,
        zone: ZoneID? = nil
    ) {
        self.kind = kind
        self.recordName = recordName
        self.recordType = recordType
        self.changeTag = changeTag
        self.fields = fields
        self.removedFields = removedFields
        self.parent = parent
        self.zone = zone
    }
}

/// What became of one operation, or of one record that was asked for.
package enum ItemResult: Hashable, Sendable {
    case record(StoredRecord)
    case deleted(RecordID)
    case failure(RecordID, RecordError)
}
