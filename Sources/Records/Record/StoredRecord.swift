/// A record with its fields as stored bytes.
package struct StoredRecord: Hashable, Sendable {
    package var id: RecordID
    package var type: String
    package var fields: FieldBytes
    package var created: Stamp
    package var modified: Stamp
    /// The number of the record's last change in the sequence of its database.
    package var sequence: Int64
    /// The record name of the parent in the share hierarchy.
    package var parent: String?
    /// The record's part in sharing; nil for a record that is neither a share nor the root of one.
    package var sharing: Sharing?
    /// Identifies the record in the URL of its present or future share; nil if no client has requested one.
    package var shortGUID: String?

    package init(
        id: RecordID,
        type: String,
        fields: FieldBytes,
        created: Stamp,
        modified: Stamp,
        sequence: Int64,
        parent: String? = nil,
        sharing: Sharing? = nil,
        shortGUID: String? = nil
    ) {
        self.id = id
        self.type = type
        self.fields = fields
        self.created = created
        self.modified = modified
        self.sequence = sequence
        self.parent = parent
        self.sharing = sharing
        self.shortGUID = shortGUID
    }

    /// The record without the bytes of its fields. It keeps the asset slots, which name the files that it
    /// refers to.
    package var withoutFields: StoredRecord {
        var head = self
        head.fields.bytes = []
        return head
    }

    package var changeTag: ChangeTag { ChangeTag(sequence: sequence) }

    /// The record with its fields decoded.
    package func decoded(by codec: any FieldCodec) throws(RecordError) -> Record {
        var record = Record(id: id, type: type, fields: try codec.decode(fields))
        record.changeTag = changeTag
        record.created = created
        record.modified = modified
        record.parent = parent
        record.sharing = sharing
        record.shortGUID = shortGUID
        return record
    }
}

extension StoredRecord {
    /// The approximate size in bytes of the record in an answer: of its fields, and of the participants of a
    /// share.
    package func answerBytes(_ addresses: AssetAddress = .plain) -> Int {
        fields.answerBytes(addresses) + (sharing?.terms?.peopleCount ?? 0) * Self.bytesPerPerson
    }

    /// Room for a person that a share names: an id, a user record name, an address, a name, and JSON keys.
    package static let bytesPerPerson = 1000
}
