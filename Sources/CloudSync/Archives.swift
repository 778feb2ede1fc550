import Cloudlet
import Foundation

/// Encodes change tokens and the system fields of records as bytes, and decodes them.
enum Archives {
    static func data(_ token: CKServerChangeToken) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
    }

    static func token(_ data: Data) throws -> CKServerChangeToken? {
        try NSKeyedUnarchiver.unarchivedObject(ofClass: CKServerChangeToken.self, from: data)
    }

    /// Encodes the system fields of a record only; the replica stores the values separately.
    static func systemFields(of record: CKRecord) -> Data {
        record.systemFields
    }

    /// Decodes a record without values, to be changed and saved over the server's version.
    static func record(_ systemFields: Data) throws -> CKRecord? {
        if let record = CKRecord(systemFields: systemFields) { return record }
        // Earlier versions stored a keyed archive.
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: systemFields)
        unarchiver.requiresSecureCoding = true
        defer { unarchiver.finishDecoding() }
        return CKRecord(coder: unarchiver)
    }
}
