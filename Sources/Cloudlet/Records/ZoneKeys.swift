import Crypto
import Foundation
internal import Records

/// The keys of encrypted values in other people's zones, which this device has read from shares.
final class ZoneKeys: Sendable {
    private struct ContainerZone: Hashable {
        var container: String
        var zone: ZoneID
    }

    private let keys = Locked<[ContainerZone: SymmetricKey]>([:])

    /// The key of a zone; nil if no share that contains it was read.
    func key(of zone: ZoneID, in container: String) -> SymmetricKey? {
        keys.withLock { $0[ContainerZone(container: container, zone: zone)] }
    }

    fileprivate func add(_ key: SymmetricKey, of zone: ZoneID, in container: String) {
        keys.withLock { $0[ContainerZone(container: container, zone: zone)] = key }
    }
}

extension FieldCipher {
    /// The key of a zone as a field for its shares; nil in the shared database, because its zones belong to
    /// other people.
    func zoneKey(of zone: CKRecordZoneID) throws -> Field? {
        guard zoneKeys == nil else { return nil }
        let key = try key.key(for: container, zone: zone.zoneName)
        return Field(.bytes(key.withUnsafeBytes { Array($0) }))
    }

    /// Stores the key of another person's zone, if the record is a share that contains it.
    func learn(from record: Record) {
        guard let zoneKeys, record.type == Share.recordType,
            case .bytes(let bytes)? = record.fields[Share.zoneKeyField]?.value
        else { return }
        zoneKeys.add(SymmetricKey(data: Data(bytes)), of: record.id.zone, in: container)
    }

    /// Whether the record has encrypted values whose key is not known yet.
    func lacksKey(of record: Record) -> Bool {
        guard let zoneKeys, zoneKeys.key(of: record.id.zone, in: container) == nil else { return false }
        return record.fields.values.contains { $0.isEncrypted && Self.needsZoneKey($0.value) }
    }
}
