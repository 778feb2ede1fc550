package import Records

/// The token in an upload URL, which replaces credentials. It is valid for one upload at each node, until it
/// expires or its session ends, and on a server that is a single process until that is restarted.
///
/// A ticket of an earlier release, without the number of the session, is refused: it would not end with its
/// session. The client asks for a new URL.
package struct UploadTicket: SignedToken {
    package static let kind: UInt8 = 2
    package static let refusal = RecordError.badTicket

    /// A number that tells the ticket from others, and from those of earlier processes of the server.
    package var number: Int64
    /// The user record name of the person who requested the URL.
    package var person: String
    /// The server-to-server key that requested the URL; empty if a session requested it.
    package var key: String
    /// The number of the session that requested the URL; 0 without a session.
    package var session: Int64
    package var database: String
    package var recordName: String
    package var recordType: String
    package var fieldName: String
    /// The zone in which the person must still be allowed to write, in the database of another person;
    /// otherwise empty.
    package var zone: String
    package var expires: Timestamp

    package init(
        number: Int64,
        person: String,
        key: String = "",
        session: Int64 = 0,
        database: String,
        recordName: String,
        recordType: String,
        fieldName: String,
        zone: String = "",
        expires: Timestamp
    ) {
        self.number = number
        self.person = person
        self.key = key
        self.session = session
        self.database = database
        self.recordName = recordName
        self.recordType = recordType
        self.fieldName = fieldName
        self.zone = zone
        self.expires = expires
    }

    package func write(to writer: inout TokenWriter) {
        writer.write(number)
        writer.write(person)
        writer.write(key)
        writer.write(session)
        writer.write(database)
        writer.write(recordName)
        writer.write(recordType)
        writer.write(fieldName)
        writer.write(zone)
    }

    package init(from reader: inout TokenReader, expires: Timestamp) throws {
        number = try reader.readInt64()
        person = try reader.readString()
        key = try reader.readString()
        session = try reader.readInt64()
        database = try reader.readString()
        recordName = try reader.readString()
        recordType = try reader.readString()
        fieldName = try reader.readString()
        zone = try reader.readString()
        self.expires = expires
    }
}
