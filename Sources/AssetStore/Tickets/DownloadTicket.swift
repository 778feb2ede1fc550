package import Records

/// What a download URL carries: whoever has the URL may read the file until it expires, or the session ends
/// for which it was made.
package struct DownloadTicket: SignedToken {
    package static let kind: UInt8 = 3
    package static let refusal = RecordError.badTicket

    package var database: String
    package var fileChecksum: String
    /// What the record says; a file of another size is not served.
    package var size: Int64
    /// Names the session that it was made for; 0: none.
    package var session: Int64
    package var expires: Timestamp

    package init(
        database: String, fileChecksum: String, size: Int64, session: Int64 = 0, expires: Timestamp
    ) {
        self.session = session
        self.database = database
        self.fileChecksum = fileChecksum
        self.size = size
        self.expires = expires
    }

    package func write(to writer: inout TokenWriter) {
        writer.write(database)
        writer.write(fileChecksum)
        writer.write(size)
        writer.write(session)
    }

    package init(from reader: inout TokenReader, expires: Timestamp) throws {
        database = try reader.readString()
        fileChecksum = try reader.readString()
        size = try reader.readInt64()
        session = try reader.readInt64()
        self.expires = expires
    }
}
