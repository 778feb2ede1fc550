import Foundation
internal import Records
internal import RecordsWire

/// Reads the keys of encrypted values in other people's zones. If a key cannot be read, records are returned
/// without these values.
struct ZoneKeysClient: Sendable {
    let client: CloudClient

    /// The maximum number of records from which a search for a share starts. One is enough in most cases,
    /// because all shares of a zone contain the same key.
    private static let maximumStarts = 10
    /// The maximum number of requests in one search. Records that are deeper in the hierarchy stay without
    /// their encrypted values.
    private static let maximumRequests = 50
    /// The maximum number of records in one request.
    private static let maximumNames = 50

    /// Reads the unknown keys of the zones whose encrypted values are in these answers.
    func learn(from answers: [RecordAnswer]) async {
        guard client.database == .shared, let cipher = client.context.cipher else { return }
        let records = answers.compactMap(\.serverRecord)
        for record in records { cipher.learn(from: record) }
        for (zone, records) in records.filter({ cipher.lacksKey(of: $0) }).grouped(by: \.id.zone) {
            let next = records.prefix(Self.maximumStarts).flatMap(\.nextToShare)
            try? await learn(of: zone, startingAt: next)
        }
    }

    /// Reads the key of a zone in the shared database, if a record to save has encrypted values and the key
    /// is not known.
    func learn(of zone: ZoneID, toSave records: [CKRecord]) async {
        guard client.database == .shared, !isKnown(zone) else { return }
        let states = records.map(\.state.current).filter { !$0.encryptedFields.isEmpty }
        if states.isEmpty { return }
        let names = states.prefix(Self.maximumStarts).flatMap { state -> [String?] in
            [state.changeTag == nil ? nil : state.id.recordName, state.parent?.recordID.recordName]
        }
        try? await learn(of: zone, startingAt: names.compactMap(\.self))
    }

    /// Looks up the share of the whole zone, and follows the parents of records to the root of their share,
    /// until a share with the key is found.
    private func learn(of zone: ZoneID, startingAt names: [String]) async throws {
        let cipher = client.context.cipher
        var asked: Set<String> = []
        var next = Set(names + [Share.zoneWideName])
        for _ in 0..<Self.maximumRequests where !next.isEmpty {
            asked.formUnion(next)
            let items = next.sorted().map { RecordsLookupRequest.Item(recordName: $0) }
            let request = RecordsLookupRequest(items, zone: zone, desiredKeys: [Share.zoneKeyField])
            let bytes = try await client.call(.recordsLookup, request)
            let records = try RecordsAnswer(bytes: bytes, zone: zone).records.compactMap(\.serverRecord)
            for record in records { cipher?.learn(from: record) }
            if isKnown(zone) { return }
            let found = Set(records.flatMap(\.nextToShare)).subtracting(asked)
            next = Set(found.sorted().prefix(Self.maximumNames))
        }
    }

    private func isKnown(_ zone: ZoneID) -> Bool {
        client.connection.zoneKeys.key(of: zone, in: client.container) != nil
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
    /// The names of the records to look up next: a share itself, because the answer may lack its key, the
    /// share of a root record, and the parent of a record.
    fileprivate var nextToShare: [String] {
        let own = sharing?.terms == nil ? nil : id.name
        return [own, sharing?.shareName, parent].compactMap(\.self)
    }
}
