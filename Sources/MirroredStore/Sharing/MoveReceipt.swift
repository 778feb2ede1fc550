import Crypto
import Foundation
import LocalReplica
import Records

/// The field `CD_moveReceipt` of a record that has moved to the zone of a share: the former zone, and hashes
/// of the fields at the time of the move.
///
/// A device that was offline during the move may still change the record in the former zone. The hashes show
/// which fields it has changed. Receipts in another program's format are kept, but not used.
struct MoveReceipt: Codable, Equatable {
    static let field = "CD_moveReceipt"
    static let twin = "CD_moveReceipt_ckAsset"
    private static let maximumBytes = 100_000

    /// The name of the zone that the record has left.
    var from: String
    /// The hashes by field.
    var fields: [String: String] = [:]
    /// Codes of encrypted fields, instead of hashes, because a hash of a short value reveals the value.
    var codes: [String: String] = [:]
    /// Identifies the secret of the codes. Devices with another secret cannot compare encrypted fields.
    var secret: String?

    init(of record: ReplicaRecord, _ secret: OwnerSecret?) throws {
        from = record.id.zone.name
        self.secret = try secret.map { try Self.name(of: $0) }
        for (name, field) in Self.content(of: record) {
            if field.isEncrypted {
                codes[name] = try secret.map { try Self.code(name, field, $0) }
            } else {
                fields[name] = Self.hash(name, field)
            }
        }
    }

    /// The receipt in a record; nil if there is none, or if it has another program's format.
    init?(in record: ReplicaRecord) {
        guard case .bytes(let bytes)? = record.fields[Self.field]?.value, bytes.count <= Self.maximumBytes,
            let receipt = try? JSONDecoder().decode(Self.self, from: Data(bytes))
        else { return nil }
        self = receipt
    }

    /// Decodes a receipt. Those of earlier versions have no codes.
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        from = try values.decode(String.self, forKey: .from)
        fields = try values.decode([String: String].self, forKey: .fields)
        codes = try values.decodeIfPresent([String: String].self, forKey: .codes) ?? [:]
        secret = try values.decodeIfPresent(String.self, forKey: .secret)
    }

    /// The field's value.
    func value() throws -> FieldValue {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return .bytes([UInt8](try encoder.encode(self)))
    }

    /// The fields of the record in the former zone that were changed there after the move, with their values;
    /// nil for a removed field.
    func changes(
        in record: ReplicaRecord, _ secret: OwnerSecret?
    ) throws -> [(name: String, field: Field?)] {
        guard record.id.zone.name == from else { return [] }
        let present = Dictionary(Self.content(of: record), uniquingKeysWith: { first, _ in first })
        let ours = try secret.flatMap { try Self.name(of: $0) == self.secret ? $0 : nil }
        return try Set(fields.keys).union(codes.keys).union(present.keys).sorted().compactMap { name in
            let field = present[name]
            if field?.isEncrypted ?? (codes[name] != nil) {
                guard let ours else { return nil }
                return try field.map { try Self.code(name, $0, ours) } == codes[name] ? nil : (name, field)
            }
            return field.map { Self.hash(name, $0) } == fields[name] ? nil : (name, field)
        }
    }

    private static func content(of record: ReplicaRecord) -> [(String, Field)] {
        record.fields.filter { $0.0 != field && $0.0 != twin }
    }

    private static func hash(_ name: String, _ field: Field) -> String {
        SHA256.hash(data: bytes(name, field)).prefix(8).hexadecimal
    }

    private static func code(_ name: String, _ field: Field, _ secret: OwnerSecret) throws -> String {
        try secret.code(of: bytes(name, field)).prefix(8).hexadecimal
    }

    private static func name(of secret: OwnerSecret) throws -> String {
        try secret.code(of: Data("name".utf8)).prefix(4).hexadecimal
    }

    private static func bytes(_ name: String, _ field: Field) -> Data {
        var plain = field
        // The server adds a URL to an asset, which differs in each answer.
        if case .asset(let asset) = field.value {
            plain.value = .asset(Asset(fileChecksum: asset.fileChecksum, size: asset.size))
        }
        return FieldCoding.bytes([name: plain])
    }
}
