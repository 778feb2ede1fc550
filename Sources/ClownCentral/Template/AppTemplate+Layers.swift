// Owns the texts of a new app's layers.
import Foundation

extension AppTemplate {
    func model(_ entity: EntitySpec) -> String {
        let properties = entity.fields.map { "    \($0.declaration)" }
        return """
            // Owns the \(entity.command) as a plain value. The README says what else a new property needs.
            import Foundation

            struct \(entity.name): Identifiable, Hashable, Sendable {
                /// The record name that it is stored under.
                let id: String
            \(properties.joined(separator: "\n"))

                init(id: String) {
                    self.id = id
                }
            }

            """
    }

    func mapper(_ entity: EntitySpec) -> String {
        """
        // Owns the ways between the \(entity.command) and its record: two lines a property. The keys are what
        // other devices and older versions know: a property may get another name, its key stays.
        import Foundation
        import LocalReplica

        extension \(entity.name): Storable {
            static let recordType = "\(entity.name)"

            /// What is missing in the record, or of another type, is as in a new one.
            init(_ record: some ModelRecord) {
                self.init(id: record.recordName)
        \(entity.fields.map { "        \($0.reading)" }.joined(separator: "\n"))
            }

            /// Other fields of the record stay as they are.
            func write(to record: inout some ModelRecord) {
        \(entity.fields.map { "        \($0.writing)" }.joined(separator: "\n"))
            }
        }

        """
    }

    var storable: String {
        """
        // Owns what a model needs so that the repository can keep it.
        import LocalReplica

        protocol Storable: Identifiable, Sendable where ID == String {
            static var recordType: String { get }
            init(_ record: some ModelRecord)
            func write(to record: inout some ModelRecord)
        }

        """
    }

    var repository: String {
        """
        // Owns the models on this device: each change is on the disk when its call returns.
        import LocalReplica

        struct Repository: Sendable {
            /// The zone of the private database that everything lies in.
            static let zone = "\(name)"

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

        """
    }

    var device: String {
        """
        // Owns a person's data on one device: the copy, and the sync that keeps it in step.
        import CloudSync
        import Cloudlet
        import Foundation
        import LocalReplica

        struct Device: Sendable {
            static let container = "iCloud.org.example.\(name)"

            let repository: Repository
            let sync: CloudSync

            /// The clock and the waiting are passed in, so that tests need not wait.
            init(
                folder: URL, connection: CloudConnection, container: String = Device.container,
                now: @escaping @Sendable () -> Date,
                pause: @escaping @Sendable (Duration) async throws -> Void
            ) throws {
                let replica = try LocalReplica(folder: folder)
                // Texts that two devices changed are merged; of other values that of the device counts
                // which syncs last, whenever it was typed. With `var`, policy["Type", "field"] = .sum says
                // otherwise.
                let configuration = SyncConfiguration(zones: [Repository.zone], now: now, pause: pause)
                repository = Repository(replica: replica)
                sync = CloudSync(
                    container: CKContainer(identifier: container, connection: connection),
                    replica: replica, configuration: configuration)
            }
        }

        """
    }
}
