// Owns the permission to upload one file for a field.

package import Records

/// What an upload URL carries, so that the upload itself needs no credentials (web services sheet 4).
package struct UploadTicket: SignedToken {
    package static let kind: UInt8 = 2
    package static let refusal = RecordError.badTicket

    package var database: String
    package var recordName: String
    package var recordType: String
    package var fieldName: String
    package var expires: Timestamp

    package init(
        database: String,
        recordName: String,
        recordType: String,
        fieldName: String,
        expires: Timestamp
    ) {
        self.database = database
        self.recordName = recordName
        self.recordType = recordType
        self.fieldName = fieldName
        self.expires = expires
    }

    package func write(to writer: inout TokenWriter) {
        writer.write(database)
        writer.write(recordName)
        writer.write(recordType)
        writer.write(fieldName)
    }

    package init(from reader: inout TokenReader, expires: Timestamp) throws {
        database = try reader.readString()
        recordName = try reader.readString()
        recordType = try reader.readString()
        fieldName = try reader.readString()
        self.expires = expires
    }
}
