import LocalReplica
import Records

/// The models on this device. When a change returns, it is on disk; the next sync sends it to the server.
struct Repository: Sendable {
    /// The zone of the private database that contains all records.
    static let zone = "TaskBook"

    let replica: LocalReplica

    func all<Kind: Model>(_ type: Kind.Type) async throws -> [Kind] {
        try await replica.read { reader in
            try reader.records(ofType: Kind.recordType, in: Self.zone).map { Kind($0) }
        }
    }

    func save<Kind: Model>(_ model: Kind) async throws {
        try await replica.write { writer in
            let id = RecordID(name: model.id, zone: Self.zone)
            var record = try writer.reader.record(id) ?? ReplicaRecord(type: Kind.recordType, id: id)
            model.write(to: &record)
            try writer.save(record)
        }
    }

    /// The IDs of a model and of all models that are deleted with it, its own first.
    func family(of id: String) async throws -> [String] {
        try await replica.read { try Self.family(of: id, $0) }
    }

    /// Deletes a model and the models that are deleted with it.
    func delete(_ id: String) async throws {
        try await replica.write { writer in
            for id in try Self.family(of: id, writer.reader).reversed() {
                try writer.delete(RecordID(name: id, zone: Self.zone))
            }
        }
    }

    private static func family(of id: String, _ reader: ReplicaReader) throws -> [String] {
        let records = try Models.all.flatMap { try reader.records(ofType: $0.recordType, in: zone) }
        var (family, known) = ([id], Set([id]))
        // The loop appends to the list that it reads, so that it also finds the children of children.
        var next = 0
        while next < family.count {
            for record in records where record.isDeleted(with: family[next]) {
                if known.insert(record.id.name).inserted { family.append(record.id.name) }
            }
            next += 1
        }
        return family
    }
}

extension ReplicaRecord {
    /// Whether deleting the model with this ID also deletes this record.
    fileprivate func isDeleted(with id: String) -> Bool {
        keys.contains { key in
            let reference: Reference? = self[field: key]
            return reference?.recordName == id && reference?.action == .deleteSelf
        }
    }
}
