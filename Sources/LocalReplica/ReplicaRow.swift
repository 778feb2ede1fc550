package import Foundation
import GRDB
package import Records

/// A version of a record as received from the server.
package struct ServerVersion: Sendable {
    package var id: RecordID
    package var type: String
    package var tag: String
    package var systemFields: Data
    package let fields: Fields
    /// The fields as they are stored. They are encoded when the version is created, because that happens
    /// before the transaction that stores it.
    let encodedFields: [UInt8]

    package init(id: RecordID, type: String, tag: String, systemFields: Data, fields: Fields) {
        self.id = id
        self.type = type
        self.tag = tag
        self.systemFields = systemFields
        self.fields = fields
        encodedFields = FieldCoding.plainBytes(fields)
    }
}

/// A record's complete local state: its fields, the server's version, and its outbox entry.
package struct ReplicaRow: Sendable {
    package var id: RecordID
    package var type: String
    /// The fields with the edits of this device; nil if this device deleted the record.
    package var fields: Fields?
    /// The change tag of the server's version; nil if the server never had the record.
    package var tag: String?
    package var systemFields: Data?
    /// The fields of the server's version; nil if the server never had the record.
    package var serverFields: Fields?
    /// The base of a merge: the fields of the server's version or, for a record that left a share, of the
    /// version before it left. nil if there is none.
    package var mergeBase: Fields?
    /// The number of the latest edit, counted from 1 since the record last had no pending edit; 0: no pending
    /// edit.
    package var change: Int
    /// The number of the edit that was sent without an answer; nil if there is none.
    package var sent: Int?
    /// The fields of that edit; nil if it is a deletion, or if there is none.
    package var sentFields: Fields?
    /// The token of the batch that contained that edit; nil if it was not sent, or if the batch is unknown.
    package var sentToken: Data?

    init(_ row: Row, zone: ZoneID) throws {
        let name: String = row["name"]
        func decoded(_ column: String) throws -> Fields? {
            try (row[column] as Data?).map { try FieldCoding.fields($0, of: name) }
        }
        id = RecordID(name: name, zone: zone)
        type = row["type"]
        fields = try decoded("fields")
        tag = row["tag"]
        systemFields = row["system_fields"]
        // The column `server_fields` is NULL if the fields are those of the server's version.
        mergeBase = try decoded("server_fields") ?? (tag == nil ? nil : fields)
        serverFields = tag == nil ? nil : mergeBase
        change = row["change"] ?? 0
        sent = row["sent"]
        sentFields = try decoded("sent_fields")
        sentToken = row["sent_token"]
    }

    /// The form of the record to send. An unanswered edit is sent again unchanged, so that the client
    /// recognises it if the server already has it. Later edits are sent in another batch.
    package var outgoing: ReplicaRow {
        guard let sent else { return self }
        var row = self
        row.change = sent
        row.fields = sentFields
        return row
    }
}
