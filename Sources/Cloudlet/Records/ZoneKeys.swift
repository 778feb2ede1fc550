import Crypto
import Foundation
internal import Records
internal import RecordsWire

/// The keys of encrypted values in other people's zones, as this device has read them in shares.
final class ZoneKeys: Sendable {
    private struct Place: Hashable {
        var container: String
        var zone: ZoneID
    }

    private let keys = Locked<[Place: SymmetricKey]>([:])

    /// The key of a zone; nil if no share with it was read.
    func key(of zone: ZoneID, in container: String) -> SymmetricKey? {
        keys.withLock { $0[Place(container: container, zone: zone)] }
    }

    fileprivate func add(_ key: SymmetricKey, of zone: ZoneID, in container: String) {
        keys.withLock { $0[Place(container: container, zone: zone)] = key }
    }
}

extension FieldCipher {
    /// The field of a share that contains the key of its zone. Apps do not see it.
    static let zoneKeyField = "cloudlet.zoneKey"

    /// The key of a zone as the field of a share; nil in the shared database, whose zones belong to others.
    func zoneKey(of zone: CKRecordZoneID) throws -> Field? {
        guard zoneKeys == nil else { return nil }
        let key = try key.key(for: container, zone: zone.zoneName)
        return Field(.bytes(key.withUnsafeBytes { Array($0) }))
    }

    /// Stores the key of another person's zone, if the record is a share that contains it.
    func learn(from record: Record) {
        guard let zoneKeys, record.type == Share.recordType,
            case .bytes(let bytes)? = record.fields[Self.zoneKeyField]?.value
        else { return }
        zoneKeys.add(SymmetricKey(data: Data(bytes)), of: record.id.zone, in: container)
    }

    /// Whether the record has encrypted values whose key is not known yet.
    func lacksKey(of record: Record) -> Bool {
        guard let zoneKeys, zoneKeys.key(of: record.id.zone, in: container) == nil else { return false }
        return record.fields.values.contains { $0.isEncrypted && Self.needsZoneKey($0.value) }
    }
}

extension CloudClient {
    /// Reads the keys of the zones whose encrypted values are in these answers, unless they are known. If a
    /// key cannot be read, records are returned without these values.
    func learnKeys(of answers: [RecordAnswer]) async {
        guard database == .shared, let cipher = context.cipher else { return }
        let records = answers.compactMap(\.serverRecord)
        for record in records { cipher.learn(from: record) }
        for (zone, records) in records.filter({ cipher.lacksKey(of: $0) }).grouped(by: \.id.zone) {
            let next = records.prefix(Self.mostStarts).flatMap(\.nextToShare)
            try? await learnKey(of: zone, startingAt: next)
        }
    }

    /// Reads the key of a zone in the shared database, if a record to save has encrypted values and the key
    /// is not known.
    func learnKey(of zone: ZoneID, toSave records: [CKRecord]) async {
        guard database == .shared, let zoneKeys = context.cipher?.zoneKeys,
            zoneKeys.key(of: zone, in: container) == nil
        else { return }
        let states = records.map(\.state.current).filter { !$0.encryptedFields.isEmpty }
        if states.isEmpty { return }
        let names = states.prefix(Self.mostStarts).flatMap { state -> [String?] in
            [state.changeTag == nil ? nil : state.id.recordName, state.parent?.recordID.recordName]
        }
        try? await learnKey(of: zone, startingAt: names.compactMap(\.self))
    }

    /// The number of records from which the way to a share begins. One is enough in most cases, because all
    /// shares of a zone contain the same key.
    private static let mostStarts = 10

    /// Looks up the share of the whole zone, and follows the parents of records to the root of their share,
    /// until a share with the key is found.
    private func learnKey(of zone: ZoneID, startingAt names: [String]) async throws {
        var asked: Set<String> = []
        var next = Set(names + [Share.zoneWideName])
        while !next.isEmpty {
            asked.formUnion(next)
            let items = next.sorted().map { RecordsLookupRequest.Item(recordName: $0) }
            let request = RecordsLookupRequest(items, zone: zone, desiredKeys: [FieldCipher.zoneKeyField])
            let answer = try RecordsAnswer(bytes: try await call(.recordsLookup, request), zone: zone)
            let records = answer.records.compactMap(\.serverRecord)
            for record in records { context.cipher?.learn(from: record) }
            if context.cipher?.zoneKeys?.key(of: zone, in: container) != nil { return }
            next = Set(records.flatMap(\.nextToShare)).subtracting(asked)
        }
    }
}

extension RecordAnswer {
    /// The server's version of the record, also in a conflict; nil in other answers.
    fileprivate var serverRecord: Record? {
        switch self {
        case .record(let record): record
        case .deleted: nil
        case .failure(_, let error): error.serverRecord
        }
    }
}

extension Record {
    /// The names of the records that lead to the share: the share of a root, the parent of another record.
    fileprivate var nextToShare: [String] { [sharing?.shareName, parent].compactMap(\.self) }
}
