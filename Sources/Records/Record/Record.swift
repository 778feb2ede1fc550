/// The time, person and device of a record's creation or last change.
package struct Stamp: Hashable, Sendable {
    package var at: Timestamp
    /// The person's user record name: `_` and 32 hexadecimal digits.
    package var by: String
    /// The device that made the change; nil if it gave no name, which answers show as `iCloud`.
    package var device: String?

    package init(at: Timestamp, by: String, device: String? = nil) {
        self.at = at
        self.by = by
        self.device = device
    }
}

/// A record with its fields and metadata.
package struct Record: Hashable, Sendable {
    package var id: RecordID
    package var type: String
    package var fields: Fields

    /// The version of the record; nil before the first save.
    package var changeTag: ChangeTag?
    package var created: Stamp?
    package var modified: Stamp?

    /// The record name of the parent in the share hierarchy. The parent is in the same zone.
    package var parent: String?
    /// The record's part in sharing; nil for a record that is neither a share nor the root of one.
    package var sharing: Sharing?
    /// Identifies the record in the URL of its share.
    package var shortGUID: String?

    package init(id: RecordID, type: String, fields: Fields = Fields()) {
        self.id = id
        self.type = type
        self.fields = fields
    }
}

/// The version of a record as clients see it: short, opaque, and different after each save.
package struct ChangeTag: Hashable, Sendable {
    package var text: String

    package init(text: String) {
        self.text = text
    }

    /// The tag of the change with this number in the sequence of its database.
    package init(sequence: Int64) {
        text = String(sequence, radix: 36)
    }

    /// The number of the change; nil for a text that this server cannot have made.
    package var number: Int64? {
        guard let number = Int64(text, radix: 36), ChangeTag(sequence: number) == self else { return nil }
        return number
    }
}
