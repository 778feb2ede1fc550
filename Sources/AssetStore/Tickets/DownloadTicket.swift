package import Records

/// The token in a download URL. Anyone who has the URL can read the file until the token expires, its session
/// ends, or the guest loses access to the shared zone.
package struct DownloadTicket: SignedToken {
    package static let kind: UInt8 = 4
    package static let refusal = RecordError.badTicket

    package var database: String
    package var fileChecksum: String
    /// The number of the session for which the URL was made; 0 without a session.
    package var session: Int64
    /// The person for whom the URL was made, for a file in another person's zone; otherwise empty.
    package var guest: String
    /// The zone in which a record with the file must still be shared with the guest; empty without a guest.
    package var zone: String
    package var expires: Timestamp

    package init(
        database: String, fileChecksum: String, session: Int64 = 0, guest: String = "",
        zone: String = "", expires: Timestamp
    ) {
        self.guest = guest
        self.zone = zone
        self.session = session
        self.database = database
        self.fileChecksum = fileChecksum
        self.expires = expires
    }

    package func write(to writer: inout TokenWriter) {
        writer.write(database)
        writer.write(fileChecksum)
        writer.write(session)
        writer.write(guest)
        writer.write(zone)
    }

    package init(from reader: inout TokenReader, expires: Timestamp) throws {
        database = try reader.readString()
        fileChecksum = try reader.readString()
        session = try reader.readInt64()
        guest = try reader.readString()
        zone = try reader.readString()
        self.expires = expires
    }
}
