import AssetStore
import RecordStore
package import Records

/// The record and field that contain an asset.
package struct AssetSource: Hashable, Sendable {
    package var recordName: String
    package var fieldName: String

    package init(recordName: String, fieldName: String) {
        self.recordName = recordName
        self.fieldName = fieldName
    }
}

extension RecordService {
    /// Returns a receipt for each asset that a record contains, or the error for it. The receipt is valid for
    /// any field of the same database.
    ///
    /// Throws `authenticationRequired` for an anonymous caller, `limitExceeded` for too many sources, and
    /// `zoneNotFound`.
    package func rereference(
        _ sources: [AssetSource], from zone: ZoneID?, to target: ZoneID?, in scope: DatabaseKind,
        by caller: Caller
    ) async throws -> [Result<Asset, RecordError>] {
        let rules = scope == .public ? try await schemaCache.access(for: caller) : nil
        return try await databases.reading(scope, zone: zone, for: caller) { database, guest in
            try assets.checkMayUpload(sources.count, "assets", by: caller)
            let zone = try databases.zoneName(zone, in: database)
            _ = try databases.zoneName(target, in: database)
            // Each record is read and decoded once, however many of its assets are requested.
            let wanted = Dictionary(grouping: sources.indices) { sources[$0].recordName }
            let names = wanted.keys.sorted()
            // As in a look-up, hidden records are not read.
            let asked = try await databases.visible(names, in: zone, of: database, to: guest)
            let records = try await records(
                named: asked.map { names.filter($0.contains) } ?? names, in: zone, of: database
            ).records
            let visible = try await databases.visible(
                Array(records.keys), in: zone, of: database, to: guest)
            var files = sources.map { Result<Asset, RecordError>.failure(.recordNotFound($0.recordName)) }
            for (name, places) in wanted {
                guard visible?.contains(name) ?? true, let record = records[name] else { continue }
                try ReadBudget.spend(decoding: record.fields.bytes.count)
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
