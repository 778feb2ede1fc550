// Owns the models on this device: each change is on the disk when its call returns.
import LocalReplica

struct Repository: Sendable {
    /// The zone of the private database that everything lies in.
    static let zone = "TaskBook"

    let replica: LocalReplica

    func all<Model: Storable>(_ type: Model.Type) async throws -> [Model] {
        try await replica.read { reader in
            try reader.records(ofType: Model.recordType, in: Self.zone).map { Model($0) }
        }
    }

    func save<Model: Storable>(_ model: Model) async throws {
        try await replica.write { writer in
            let id = RecordID(name: model.id, zone: Self.zone)
            var record =
                try writer.reader.record(id) ?? ReplicaRecord(type: Model.recordType, id: id)
            model.write(to: &record)
            try writer.save(record)
        }
    }

    func delete(_ id: String) async throws {
        try await replica.write { try $0.delete(RecordID(name: id, zone: Self.zone)) }
    }
}
