import Crypto
import Foundation
internal import Records

/// Encrypts values with AES-GCM under a key that the server does not have.
///
/// A string is encrypted to a string, and every other type to bytes, so that the value matches the schema's
/// `ENCRYPTED STRING`. The ciphertext is bound to its record and field: a value that was moved elsewhere
/// cannot be decrypted. The nonce is derived from the value, so that equal values of one field have equal
/// ciphertexts, and encryption needs no random numbers.
struct FieldCipher: Sendable {
    let key: CloudEncryptionKey
    let container: String

    /// The result of decrypting a field.
    enum Opened {
        /// The decrypted value.
        case object(any __CKRecordObjCValue)
        /// The field contains a plain value, as web clients save it.
        case unsealed
        /// The value cannot be decrypted: it was encrypted with another key, or for another record or field.
        case closed
    }

    /// The prefix of an encrypted value: a name and a version.
    private static let mark = "CKE1:"

    /// Encrypts a value for the server.
    func seal(_ object: any __CKRecordObjCValue, of record: CKRecordID, field: String) throws -> FieldValue {
        let key = try key.key(for: container)
        let place = Self.place(record, field)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.nonConformingFloatEncodingStrategy = Archive.writtenFloats
        let plain = try encoder.encode(ArchivedValue(object))
        var digest = HMAC<SHA256>(key: key)
        digest.update(data: place)
        digest.update(data: plain)
        let nonce = try AES.GCM.Nonce(data: Data(digest.finalize()).prefix(12))
        let box = try AES.GCM.seal(plain, using: key, nonce: nonce, authenticating: place)
        let sealed = Data(box.nonce) + box.ciphertext + box.tag
        if object is NSString { return .string(Self.mark + sealed.base64EncodedString()) }
        return .bytes(Array(Self.mark.utf8) + Array(sealed))
    }

    /// Decrypts a value from the server.
    func open(_ value: FieldValue, of record: CKRecordID, field: String) -> Opened {
        let sealed: Data?
        switch value {
        case .string(let text) where text.hasPrefix(Self.mark):
            sealed = Data(base64Encoded: String(text.dropFirst(Self.mark.count)))
        case .bytes(let bytes) where bytes.starts(with: Self.mark.utf8):
            sealed = Data(bytes.dropFirst(Self.mark.utf8.count))
        default: return .unsealed
        }
        guard let sealed, let key = try? key.key(for: container),
            let box = try? AES.GCM.SealedBox(combined: sealed),
            let plain = try? AES.GCM.open(box, using: key, authenticating: Self.place(record, field))
        else { return .closed }
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = Archive.readFloats
        return (try? decoder.decode(ArchivedValue.self, from: plain)).map { .object($0.object) } ?? .closed
    }

    private static func place(_ record: CKRecordID, _ field: String) -> Data {
        Data("\(record.zoneID.zoneName)\n\(record.recordName)\n\(field)".utf8)
    }
}
