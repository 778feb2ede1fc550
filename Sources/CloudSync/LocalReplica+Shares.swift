public import Cloudlet
public import LocalReplica
public import Records

// Shares are records of the replica. Their participants and URL are not fields, so they are read as
// `CKShare`.
extension LocalReplica {
    /// The share with this ID, as the last sync has fetched it; nil if there is none on this device.
    ///
    /// Save or delete it in a `CKDatabase`. A participant who deletes it leaves the share.
    ///
    /// - Throws: `ReplicaError`.
    public func share(for id: RecordID) async throws -> CKShare? {
        let (row, share) = try await read { (try $0.row(id), try $0.participants(of: id)) }
        guard let fields = row?.fields, let share else { return nil }
        for (name, field) in fields { share.set(field, forKey: name) { file(of: $0) } }
        return share
    }

    /// The shares in a zone, sorted by record name.
    ///
    /// - Throws: `ReplicaError`.
    public func shares(in zone: ZoneID) async throws -> [CKShare] {
        let ids = try await read { try $0.records(ofType: CKRecord.SystemType.share, in: zone).map(\.id) }
        var shares: [CKShare] = []
        for id in ids {
            if let share = try await share(for: id) { shares.append(share) }
        }
        return shares
    }
}

extension ReplicaReader {
    /// The share with this ID without its fields: its participants and their permissions. nil if there is
    /// none on this device, or if it is being deleted.
    ///
    /// - Throws: `ReplicaError`.
    package func participants(of share: RecordID) throws -> CKShare? {
        guard let row = try row(share), row.fields != nil, let systemFields = row.systemFields else {
            return nil
        }
        return try Archives.record(systemFields) as? CKShare
    }

    /// The name of the person who created a record; nil if the server has not stored it yet.
    ///
    /// - Throws: `ReplicaError`.
    package func creator(of id: RecordID) throws -> String? { try authors(of: id)?.creator }

    /// The people who created a record and who changed it last, as the server knows them; nil if the server
    /// has not stored the record yet.
    ///
    /// The server sets these names, so participants of a share cannot pretend to be somebody else.
    ///
    /// - Throws: `ReplicaError`.
    public func authors(of id: RecordID) throws -> RecordAuthors? {
        guard let systemFields = try row(id)?.systemFields, let record = try Archives.record(systemFields),
            let creator = record.creatorUserRecordID?.recordName
        else { return nil }
        return RecordAuthors(
            creator: creator, lastModifier: record.lastModifiedUserRecordID?.recordName ?? creator)
    }
}
