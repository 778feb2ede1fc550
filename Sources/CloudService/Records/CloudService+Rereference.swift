// Owns the way of a file from one record into another without an upload.

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

extension CloudService {
    /// A receipt for each file that a record holds, good for any field of the same database, or why there is
    /// none (web services sheet 4).
    ///
    /// Throws `accessDenied` for the anonymous, and `zoneNotFound`.
    package func rereference(
        _ sources: [AssetSource], from zone: ZoneID?, to target: ZoneID?, in scope: DatabaseKind,
        by caller: Caller
    ) async throws -> [Result<Asset, RecordError>] {
        let rules = scope == .public ? try await accessRules(for: caller) : nil
        return try await using(scope, for: caller) { database in
            try checkMayUpload(sources.count, "assets", by: caller)
            let zone = try zoneName(zone, in: database)
            _ = try zoneName(target, in: database)
            let records = try await database.records.records(named: sources.map(\.recordName), in: zone)
            return zip(sources, records).map { source, record in
                Result { () throws(RecordError) in
                    if let record, let refusal = rules?.refusal(toShow: record) { throw refusal }
                    let asset = try asset(of: source, in: record)
                    return receipt(for: asset, in: database.key)
                }
            }
        }
    }

    private func asset(of source: AssetSource, in record: StoredRecord?) throws(RecordError) -> Asset {
        guard let record else { throw .recordNotFound(source.recordName) }
        guard case .asset(let asset) = try codec.decode(record.fields)[source.fieldName]?.value else {
            throw RecordError(
                .badRequest, "the field holds no asset", culprit: source.fieldName,
                nextStep: "name a field of type ASSETID that has a value"
            )
        }
        return asset
    }

    /// An upload that never came in has no incoming file: the content itself must be there when it is used.
    private func receipt(for asset: Asset, in key: DatabaseKey) -> Asset {
        let upload = ReceivedUpload(
            uploadID: seams.randomHex(bytes: 16), fileChecksum: asset.fileChecksum, size: asset.size
        )
        let receipt = UploadReceipt(
            database: key.text, recordType: "", fieldName: "", upload: upload,
            expires: seams.now().advanced(bySeconds: Int64(limits.uploadLifetime))
        )
        return Asset(fileChecksum: asset.fileChecksum, size: asset.size, receipt: signer.sign(receipt))
    }
}
