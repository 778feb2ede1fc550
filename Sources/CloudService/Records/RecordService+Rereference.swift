import AssetStore
import RecordStore
package import Records

/// The place where an asset is now.
package struct AssetSource: Hashable, Sendable {
    package var recordName: String
    package var fieldName: String

    package init(recordName: String, fieldName: String) {
        self.recordName = recordName
        self.fieldName = fieldName
    }
}

extension RecordService {
    /// A receipt for each file that a record holds, good for any field of the same database, or why there is
    /// none.
    ///
    /// Throws `accessDenied` for the anonymous, and `zoneNotFound`.
    package func rereference(
        _ sources: [AssetSource], from zone: ZoneID?, to target: ZoneID?, in scope: DatabaseKind,
        by caller: Caller
    ) async throws -> [Result<Asset, RecordError>] {
        let rules = scope == .public ? try await schemaCache.access(for: caller) : nil
        return try await databases.using(scope, for: caller) { database in
            try assets.checkMayUpload(sources.count, "assets", by: caller)
            let zone = try databases.zoneName(zone, in: database)
            _ = try databases.zoneName(target, in: database)
            // Each record is read and taken apart once, however many of its files are named.
            let wanted = Dictionary(grouping: sources.indices) { sources[$0].recordName }
            let records = try await records(named: wanted.keys.sorted(), in: zone, of: database).records
            var files = sources.map { Result<Asset, RecordError>.failure(.recordNotFound($0.recordName)) }
            for (name, places) in wanted {
                guard let record = records[name] else { continue }
                let fields: Result<Fields, RecordError> = Result { () throws(RecordError) -> Fields in
                    if let refusal = rules?.refusal(toShow: record) { throw refusal }
                    return try context.codec.decode(record.fields)
                }
                for place in places {
                    files[place] = Result { () throws(RecordError) in
                        try asset(sources[place].fieldName, in: try fields.get())
                    }
                }
            }
            return files.map { found in found.map { assets.receipt(for: $0, in: database.key) } }
        }
    }

    private func asset(_ field: String, in fields: Fields) throws(RecordError) -> Asset {
        guard case .asset(let asset) = fields[field]?.value else {
            throw RecordError(
                .badRequest, "the field holds no asset", culprit: field,
                nextStep: "name a field of type ASSETID that has a value"
            )
        }
        return asset
    }
}
