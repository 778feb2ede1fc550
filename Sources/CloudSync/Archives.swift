import Cloudlet
import Foundation

/// Encodes change tokens and the system fields of records as bytes, and decodes them.
enum Archives {
    static func data(_ token: CKServerChangeToken) -> Data {
        token.stored
    }

    /// Decodes a change token. Throws `changeTokenExpired` for unreadable bytes, so that the feed is then
    /// read from its beginning.
    static func token(_ data: Data) throws -> CKServerChangeToken {
        if let token = CKServerChangeToken.restored(data) { return token }
        // Earlier versions stored a keyed archive.
        let token = try? NSKeyedUnarchiver.unarchivedObject(ofClass: CKServerChangeToken.self, from: data)
        guard let token else { throw CKError(.changeTokenExpired) }
        return token
    }

    /// Encodes the system fields of a record only; the replica stores the values separately.
    static func systemFields(of record: CKRecord) -> Data {
        record.systemFields
    }

    /// Decodes a record that has only system fields. Set its changed fields, and save it over the server's
    /// version. The record of a share is a `CKShare` with its participants.
    static func record(_ systemFields: Data) throws -> CKRecord? {
        if let record = CKRecord.restored(systemFields) { return record }
        // Earlier versions stored a keyed archive.
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: systemFields)
        unarchiver.requiresSecureCoding = true
        defer { unarchiver.finishDecoding() }
        return CKRecord(coder: unarchiver)
    }
}
