package import Foundation
import GRDB
package import Records

/// A version of a record that came from the server.
package struct ServerVersion: Sendable {
    package var id: RecordID
    package var type: String
    package var tag: String
    package var systemFields: Data
    package var fields: Fields

    package init(id: RecordID, type: String, tag: String, systemFields: Data, fields: Fields) {
        self.id = id
        self.type = type
        self.tag = tag
        self.systemFields = systemFields
        self.fields = fields
    }
}

/// A record with what the server last said of it, and what it has not been told.
package struct ReplicaRow: Sendable {
    package var id: RecordID
    package var type: String
    /// As the app sees them; nil: deleted on this device.
    package var fields: Fields?
    /// The server's version; nil: the server never had it.
    package var tag: String?
    package var systemFields: Data?
    /// What the server last said; nil when it never had the record.
    package var serverFields: Fields?
    /// Counts the edits that the server has not acknowledged; 0: in step.
    package var change: Int
    /// The edit that was sent and not answered; nil: there is none.
    package var sent: Int?
    /// Its fields; nil: its deletion, or none.
    package var sentFields: Fields?
    /// The name of the batch in which it was sent; nil: it was not, or nobody knows that batch.
    package var sentToken: Data?

    init(_ row: Row, zone: String) throws {
        let name: String = row["name"]
        func decoded(_ column: String) throws -> Fields? {
            try (row[column] as Data?).map { try FieldSpelling.fields($0, of: name) }
        }
        id = RecordID(name: name, zone: zone)
        type = row["type"]
        fields = try decoded("fields")
        tag = row["tag"]
        systemFields = row["system_fields"]
        serverFields = tag == nil ? nil : try decoded("server_fields") ?? fields
        change = row["change"] ?? 0
        sent = row["sent"]
        sentFields = try decoded("sent_fields")
        sentToken = row["sent_token"]
    }

    /// The record as it goes to the server: what was sent before and not answered goes again as it was, so
    /// that it is recognised if it got there; edits made since follow.
    package var outgoing: ReplicaRow {
        guard let sent else { return self }
        var row = self
        row.change = sent
        row.fields = sentFields
        return row
    }
}
