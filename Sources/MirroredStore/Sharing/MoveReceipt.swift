import Crypto
import Foundation
import LocalReplica
import Records

/// What the field `CD_moveReceipt` of a record says that has moved to the zone of a share: where it was, and
/// hashes of its fields at that time.
///
/// A device that was off line during the move may still change the record at its old place. The hashes show
/// which of its fields it has changed. Receipts of other writers are kept as they are, and have no meaning
/// here.
struct MoveReceipt: Codable, Equatable {
    static let field = "CD_moveReceipt"
    static let twin = "CD_moveReceipt_ckAsset"
    private static let mostBytes = 100_000

    /// The name of the zone that the record has left.
    var from: String
    /// The hashes by field.
    var fields: [String: String]

    init(of record: ReplicaRecord) {
        from = record.id.zone.name
        fields = [:]
        for (name, field) in Self.content(of: record) { fields[name] = Self.hash(name, field) }
    }

    /// The receipt in a record; nil if there is none, or if it has another writer's form.
    init?(in record: ReplicaRecord) {
        guard case .bytes(let bytes)? = record.fields[Self.field]?.value, bytes.count <= Self.mostBytes,
            let receipt = try? JSONDecoder().decode(Self.self, from: Data(bytes))
        else { return nil }
        self = receipt
    }

    /// The field's value.
    func value() throws -> FieldValue {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return .bytes([UInt8](try encoder.encode(self)))
    }

    /// The fields of a record at the old place that were changed there after the move, with their values;
    /// nil: the field was removed.
    func changes(in record: ReplicaRecord) -> [(name: String, field: Field?)] {
        guard record.id.zone.name == from else { return [] }
        let present = Self.content(of: record)
        let names = Set(fields.keys).union(present.map(\.0)).sorted()
        return names.compactMap { name in
            let field = present.first { $0.0 == name }?.1
            return field.map { Self.hash(name, $0) } == fields[name] ? nil : (name, field)
        }
    }

    private static func content(of record: ReplicaRecord) -> [(String, Field)] {
        record.fields.filter { $0.0 != field && $0.0 != twin }
    }

    private static func hash(_ name: String, _ field: Field) -> String {
        var plain = field
        // The server adds a URL to an asset, which differs in each answer.
        if case .asset(let asset) = field.value {
            plain.value = .asset(Asset(fileChecksum: asset.fileChecksum, size: asset.size))
        }
        let digest = SHA256.hash(data: FieldCoding.bytes([name: plain]))
        return digest.prefix(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
