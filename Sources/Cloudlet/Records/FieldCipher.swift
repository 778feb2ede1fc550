import Crypto
import Foundation
internal import Records

/// Encrypts values with AES-GCM.
///
/// Values in the default zone are encrypted with a key that the server never receives. Values in another zone
/// are encrypted with the key of that zone, which the shares of the zone contain.
///
/// A string is encrypted to a string, and every other type to bytes, so that the value matches the schema's
/// `ENCRYPTED STRING`. The ciphertext is bound to its record and field: a value that was moved elsewhere
/// cannot be decrypted. The nonce is derived from the value, so that equal values of one field have equal
/// ciphertexts, and encryption needs no random numbers.
struct FieldCipher: Sendable {
    let key: CloudEncryptionKey
    let container: String
    /// The keys of other people's zones, in the shared database; nil in the other databases.
    var zoneKeys: ZoneKeys?

    /// The result of decrypting a field.
    enum Opened {
        /// The decrypted value.
        case object(any __CKRecordObjCValue)
        /// The field contains a plain value, as web clients save it.
        case unsealed
        /// The value cannot be decrypted: it was encrypted with another key, or for another record or field.
        case closed
    }

    /// The prefix of a value that the key of the container encrypts.
    private static let containerMark = "CKE1:"
    /// The prefix of a value that the key of the zone encrypts.
    private static let zoneMark = "CKE2:"

    /// Encrypts a value for the server. Throws `CKError.invalidArguments` for a zone of another person whose
    /// key is not known.
    func seal(_ object: any __CKRecordObjCValue, of record: CKRecordID, field: String) throws -> FieldValue {
        let mark = isInOwnDefaultZone(record) ? Self.containerMark : Self.zoneMark
        guard let key = try symmetricKey(for: mark, in: record.zoneID) else {
            throw CKError.invalidArguments(
                "The key of encrypted values is not in the share of the zone [\(record.zoneID.zoneName)] -"
                    + " ask the owner to save the share again, or use a plain field")
        }
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
        if object is NSString { return .string(mark + sealed.base64EncodedString()) }
        return .bytes(Array(mark.utf8) + Array(sealed))
    }

    /// Decrypts a value from the server.
    func open(_ value: FieldValue, of record: CKRecordID, field: String) -> Opened {
        guard let (mark, sealed) = Self.parts(of: value) else { return .unsealed }
        guard let sealed, let key = try? symmetricKey(for: mark, in: record.zoneID),
            let box = try? AES.GCM.SealedBox(combined: sealed),
            let plain = try? AES.GCM.open(box, using: key, authenticating: Self.place(record, field))
        else { return .closed }
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = Archive.readFloats
        guard let object = try? decoder.decode(ArchivedValue.self, from: plain).object,
            Self.canBeEncrypted(object)
        else { return .closed }
        return .object(object)
    }

    /// Whether a value may be encrypted: neither an asset nor a reference, nor a list of them. An archived
    /// asset names a local file, and another participant of the zone could name any file of the reader's
    /// device.
    static func canBeEncrypted(_ object: any __CKRecordObjCValue) -> Bool {
        switch object {
        case is CKAsset, is CKReference: false
        case let array as NSArray:
            !array.contains { $0 is CKAsset || $0 is CKReference || $0 is NSArray }
        default: true
        }
    }

    /// Whether the value of a field is encrypted with the key of its zone.
    static func needsZoneKey(_ value: FieldValue) -> Bool { parts(of: value)?.mark == zoneMark }

    /// The prefix of an encrypted value and the bytes after it; nil for a plain value. The bytes are nil if
    /// they are not valid Base64.
    private static func parts(of value: FieldValue) -> (mark: String, sealed: Data?)? {
        for mark in [containerMark, zoneMark] {
            switch value {
            case .string(let text) where text.hasPrefix(mark):
                return (mark, Data(base64Encoded: String(text.dropFirst(mark.count))))
            case .bytes(let bytes) where bytes.starts(with: mark.utf8):
                return (mark, Data(bytes.dropFirst(mark.utf8.count)))
            default: continue
            }
        }
        return nil
    }

    private func isInOwnDefaultZone(_ record: CKRecordID) -> Bool {
        zoneKeys == nil && record.zoneID.zoneName == CKRecordZoneID.defaultZoneName
    }

    /// The key for values with this prefix; nil if this device does not have it.
    private func symmetricKey(for mark: String, in zone: CKRecordZoneID) throws -> SymmetricKey? {
        guard let zoneKeys else {
            return try key.key(for: container, zone: mark == Self.zoneMark ? zone.zoneName : nil)
        }
        return mark == Self.zoneMark ? zoneKeys.key(of: ZoneID(zone), in: container) : nil
    }

    private static func place(_ record: CKRecordID, _ field: String) -> Data {
        Data("\(record.zoneID.zoneName)\n\(record.recordName)\n\(field)".utf8)
    }
}
