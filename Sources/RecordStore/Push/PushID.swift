import Records

/// Makes the identifier that all notifications about one change share.
package enum PushID {
    /// Returns a UUID (version 8) made from the database's identity and the sequence number of the change.
    package static func text(database: Int64, number: Int64) -> String {
        var bytes: [UInt8] = []
        for word in [UInt64(bitPattern: database), UInt64(bitPattern: number)] {
            bytes.append(bigEndian: word)
        }
        bytes[6] = bytes[6] & 0x0f | 0x80
        bytes[8] = bytes[8] & 0x3f | 0x80
        return bytes.uuidText
    }
}
