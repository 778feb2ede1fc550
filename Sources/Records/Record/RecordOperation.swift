/// One operation of a batch (CloudKit Web Services Reference, *Modifying Records*).
package struct RecordOperation: Hashable, Sendable {
    /// The kind of operation. The raw value is the protocol's term.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case create
        /// Sets the given fields if the change tag matches.
        case update
        /// Sets the given fields regardless of the change tag, and creates a missing record.
        case forceUpdate
        /// Replaces all fields if the change tag matches.
        case replace
        /// Replaces all fields regardless of the change tag, and creates a missing record.
        case forceReplace
        case delete
        case forceDelete

        package var isDelete: Bool { self == .delete || self == .forceDelete }
        package var isReplace: Bool { self == .replace || self == .forceReplace }
        package var comparesTag: Bool { self == .update || self == .replace || self == .delete }
        package var mayCreate: Bool { self == .create || self == .forceUpdate || self == .forceReplace }
    }

    /// The change to the record's parent in the share hierarchy.
    package enum ParentChange: Hashable, Sendable {
        case keep
        case set(String)
        case remove
    }

    package var kind: Kind
    /// The record's name. nil, with `create` only, lets the server choose a name.
    package var recordName: String?
    package var recordType: String?
    /// The version that the operation is based on. With a forced operation it only requires that the record
    /// exists.
    package var changeTag: ChangeTag?
    /// The fields to set.
    package var fields: Fields
    /// The names of the fields to remove.
    package var removedFields: [String]
    package var parent: ParentChange
    /// The zone that some clients repeat inside the record. It must equal the request's zone.
    package var zone: ZoneID?
    /// The change to the share's terms, for a record of type `cloudkit.share`.
    package var share: ShareChange?
    /// The short GUID that the record gets if it has none; for a new share, its root, or its zone if it
    /// covers the whole zone.
    package var shortGUID: String?
    /// Whether the client requests a short GUID, which the server then generates.
    package var wantsShortGUID: Bool

    package init(
        _ kind: Kind,
        recordName: String? = nil,
        recordType: String? = nil,
        changeTag: ChangeTag? = nil,
        fields: Fields = Fields(),
        removedFields: [String] = [],
        parent: ParentChange = .keep,
        zone: ZoneID? = nil,
        share: ShareChange? = nil,
        shortGUID: String? = nil,
        wantsShortGUID: Bool = false
    ) {
        self.kind = kind
        self.recordName = recordName
        self.recordType = recordType
        self.changeTag = changeTag
        self.fields = fields
        self.removedFields = removedFields
        self.parent = parent
        self.zone = zone
        self.share = share
        self.shortGUID = shortGUID
        self.wantsShortGUID = wantsShortGUID
    }
}

/// The outcome of one operation, or of fetching one record.
package enum ItemResult: Hashable, Sendable {
    case record(StoredRecord)
    case deleted(RecordID)
    case failure(RecordID, RecordError)

    /// The error, if the operation failed.
    package var error: RecordError? {
        if case .failure(_, let error) = self { error } else { nil }
    }
}
