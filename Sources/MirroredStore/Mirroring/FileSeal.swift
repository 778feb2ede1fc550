import Cloudlet
import Crypto
import Foundation
import ObjectModel
import Records

/// Computes codes that only the person's own devices can compute.
struct OwnerSecret: Sendable {
    let key: CloudEncryptionKey
    let container: String

    /// A code of 32 bytes, equal for equal data.
    func code(of data: Data) throws -> Data { try key.code(of: data, in: container) }
}

/// Encrypts the file of a long value whose attribute is encrypted.
///
/// Asset fields cannot be encrypted. So the file is encrypted with its own key, and the key is the value of
/// the encrypted field beside the asset. Everybody who can read encrypted values of the record can read the
/// file, also after the record has moved into a share.
enum FileSeal {
    /// The start of an encrypted file, and of the field with its key.
    private static let mark = "CKF1:"
    /// A key encrypts one content only, so it needs no other nonce.
    private static let nonce = Data(count: 12)

    /// Encrypts the content of an attribute's file.
    ///
    /// - Parameter place: the record's name and the attribute. Only there can the file be decrypted.
    static func seal(
        _ content: Data, at place: String, _ secret: OwnerSecret
    ) throws -> (file: Data, key: String) {
        let code = try secret.code(of: Data("\(place)\n".utf8) + content)
        let box = try AES.GCM.seal(
            content, using: SymmetricKey(data: code), nonce: try AES.GCM.Nonce(data: nonce),
            authenticating: Data(place.utf8))
        return (Data(mark.utf8) + box.ciphertext + box.tag, mark + code.base64EncodedString())
    }

    /// Whether a file is an encrypted one.
    static func isSealed(_ file: Data) -> Bool { file.starts(with: mark.utf8) }

    /// The key in a field; nil if the field contains another value.
    static func key(in value: FieldValue?) -> SymmetricKey? {
        guard let text = value?.content.map({ String(decoding: $0, as: UTF8.self) }), text.hasPrefix(mark),
            let code = Data(base64Encoded: String(text.dropFirst(mark.count))), code.count == 32
        else { return nil }
        return SymmetricKey(data: code)
    }

    /// The content of an encrypted file; nil if it was encrypted with another key or for another place.
    static func open(_ file: Data, at place: String, _ key: SymmetricKey) -> Data? {
        let combined = nonce + file.dropFirst(mark.utf8.count)
        guard let box = try? AES.GCM.SealedBox(combined: combined) else { return nil }
        return try? AES.GCM.open(box, using: key, authenticating: Data(place.utf8))
    }
}

extension RecordTranslation {
    /// The file of a long value, and the field beside it: nil if the attribute is not encrypted.
    func file(
        of content: Data, _ attribute: StoreLayout.Attribute, of object: MirroredObject
    ) throws -> (file: Data, field: Field?) {
        guard attribute.isEncrypted, let secret else { return (content, nil) }
        let (file, key) = try FileSeal.seal(content, at: Self.place(attribute, object.id.name), secret)
        let value: FieldValue = attribute.kind == .string ? .string(key) : .bytes(Array(key.utf8))
        return (file, Field(value, isEncrypted: true))
    }

    /// The value of an attribute, as far as it can be read from a record.
    enum ReadValue {
        case known(FieldValue?)
        /// The value is in a file that is not on this device.
        case inMissingFile
        /// The field has a key and there is no asset, or the file is encrypted and this device has no key.
        case unreadable
    }

    /// Reads the value of an attribute from its field and its asset.
    ///
    /// - Parameter file: the content of an asset; nil if it is not on this device.
    /// - Throws: `MirroredStoreError` with the code `invalidValue` if the file does not belong to the key in
    ///   the field.
    func value(
        of attribute: StoreLayout.Attribute, in fields: Fields, of record: String,
        file: (Asset) throws -> Data?
    ) throws -> ReadValue {
        let plain = fields[Self.field(attribute.name)]?.value
        guard attribute.hasAssetTwin, isInFile(attribute, beside: plain) else { return .known(plain) }
        guard case .asset(let asset)? = fields[Self.twin(attribute.name)]?.value else {
            return (plain?.contentBytes ?? 0) == 0 ? .known(plain) : .unreadable
        }
        guard let data = try file(asset) else { return .inMissingFile }
        return try value(in: data, attribute, of: record, beside: plain).map { ReadValue.known($0) }
            ?? .unreadable
    }

    /// The value that a file contains; nil if it is encrypted and this device does not have the key.
    ///
    /// - Parameter beside: the value of the field beside the asset.
    /// - Throws: `MirroredStoreError` with the code `invalidValue` if the file does not belong to the key.
    private func value(
        in file: Data, _ attribute: StoreLayout.Attribute, of record: String, beside: FieldValue?
    ) throws -> FieldValue? {
        var content = file
        let key = attribute.isEncrypted ? FileSeal.key(in: beside) : nil
        if key != nil, !FileSeal.isSealed(file) {
            throw MirroredStoreError(
                .invalidValue, "\(Self.twin(attribute.name)) of \(record)",
                "the file is not encrypted, although the field has its key",
                nextStep: "set the value again on another device")
        }
        if attribute.isEncrypted, FileSeal.isSealed(file) {
            guard let key else { return nil }
            guard let opened = FileSeal.open(file, at: Self.place(attribute, record), key) else {
                throw MirroredStoreError(
                    .invalidValue, "\(Self.twin(attribute.name)) of \(record)",
                    "the file cannot be decrypted", nextStep: "set the value again on another device")
            }
            content = opened
        }
        return attribute.kind == .string
            ? .string(String(decoding: content, as: UTF8.self)) : .bytes([UInt8](content))
    }

    /// Whether the value of an attribute is in the asset of its record, and not in the field beside it.
    func isInFile(_ attribute: StoreLayout.Attribute, beside: FieldValue?) -> Bool {
        (beside?.contentBytes ?? 0) == 0 || attribute.isEncrypted && FileSeal.key(in: beside) != nil
    }

    private static func place(_ attribute: StoreLayout.Attribute, _ record: String) -> String {
        "\(record)\n\(attribute.name)"
    }
}
