import Cloudlet
import Foundation
import ObjectModel
import Records
import RecordsWire

extension MirroredStore {
    /// The options of `initializeCloudKitSchema(options:)`. In Core Data they are
    /// `NSPersistentCloudKitContainerSchemaInitializationOptions`.
    public struct SchemaInitializationOptions: OptionSet, Hashable, Sendable {
        /// The bits of the options.
        public let rawValue: Int

        /// Creates options from their bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Checks the model without sending anything.
        public static let dryRun = SchemaInitializationOptions(rawValue: 1 << 1)
        /// Writes the schema to standard output.
        public static let printSchema = SchemaInitializationOptions(rawValue: 1 << 2)
    }

    /// Creates all record types and fields of the model in the development environment, before the first
    /// object exists, so that they can be deployed to production.
    ///
    /// Saves records with a value in each field in the zone `com.apple.coredata.cloudkit.zone.schema` of the
    /// private database, and deletes the zone at the end; no mirrored store reads that zone. In production,
    /// the server refuses new types and fields.
    ///
    /// - Returns: the schema in the schema language, as `cloudlet schema from-model` prints it.
    /// - Throws: `MirroredStoreError` with the code `incompatibleModel` if the store is not mirrored, and
    ///   `CKError`.
    @discardableResult
    public func initializeCloudKitSchema(
        options: SchemaInitializationOptions = []
    ) async throws -> String {
        guard let container else {
            throw MirroredStoreError(
                .incompatibleModel, "the store", "it stays on this device, so it has no schema",
                nextStep: "open the store with a container")
        }
        try layout.checkMirroring()
        let schema = layout.schema
        if options.contains(.printSchema) {
            try FileHandle.standardOutput.write(contentsOf: Data(schema.text.utf8))
        }
        if !options.contains(.dryRun) {
            let saving = SchemaSaving(database: container.privateCloudDatabase, newName: settings.newName)
            try await saving.save(schema)
        }
        return schema.text
    }
}

/// Saves records with a value in each field of a schema, so that the server adds the types and fields to its
/// own.
private struct SchemaSaving {
    let database: CKDatabase
    let newName: @Sendable () -> String

    func save(_ schema: Schema) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "schema-\(newName())")
        try Data("asset".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let zone = CKRecordZone(zoneName: MirroredName.zone + ".schema")
        _ = try await database.save(zone)
        do {
            for record in records(of: schema, in: zone.zoneID, asset: file) {
                _ = try await database.save(record)
            }
        } catch {
            _ = try? await database.deleteRecordZone(withID: zone.zoneID)
            throw error
        }
        _ = try await database.deleteRecordZone(withID: zone.zoneID)
    }

    /// A server adds at most 100 fields to the schema in a request.
    private static let maximumFields = 80

    private func records(of schema: Schema, in zone: CKRecordZone.ID, asset: URL) -> [CKRecord] {
        schema.types.values.sorted { $0.name < $1.name }.flatMap { type in
            let fields = type.fields.sorted { $0.key < $1.key }
            return stride(from: 0, to: fields.count, by: Self.maximumFields).map { start in
                let record = CKRecord(
                    recordType: type.name,
                    recordID: CKRecord.ID(recordName: newName(), zoneID: zone))
                for (name, field) in fields[start..<min(start + Self.maximumFields, fields.count)] {
                    let value = Self.value(of: field.type.element, asset: asset)
                    if field.isEncrypted {
                        record.encryptedValues[name] = value
                    } else {
                        record[name] = value
                    }
                }
                return record
            }
        }
    }

    private static func value(of type: ScalarType, asset: URL) -> (any CKRecordValue)? {
        switch type {
        case .int64: Int64(0)
        case .double: 0.5
        case .timestamp: Date(timeIntervalSince1970: 0)
        case .string: "text"
        case .bytes: Data([0])
        case .asset: CKAsset(fileURL: asset)
        case .reference, .location: nil
        }
    }
}
