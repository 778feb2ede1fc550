import Foundation
package import Records

extension CKRecord {
    /// The fields that the server stores for this record, and the local files of its assets by checksum.
    package var contents: (fields: Fields, files: [String: URL]) {
        let state = state.current
        let home = ZoneID(state.id.zoneID)
        var fields = Fields()
        var files: [String: URL] = [:]
        for (values, isEncrypted) in [(state.fields, false), (state.encryptedFields, true)] {
            for (key, object) in values {
                for asset in Self.assets(in: object) {
                    if let stored = asset.stored, let file = asset.fileURL {
                        files[stored.fileChecksum] = file
                    }
                }
                fields[key] = Self.value(of: object, home: home).map { Field($0, isEncrypted: isEncrypted) }
            }
        }
        return (fields, files)
    }

    /// Sets or removes a field. An asset gets the local file that `file` returns for it.
    package func set(_ field: Field?, forKey key: String, file: (Asset) -> URL?) {
        guard let field else {
            self[key] = nil
            if state.current.encryptedFields[key] != nil { encryptedValues[key] = nil }
            return
        }
        let object: any __CKRecordObjCValue =
            switch field.value {
            case .asset(let asset): CKAsset(fileURL: file(asset), stored: asset)
            case .list(.asset, let values):
                NSArray(
                    array: values.flatMap(\.elements).compactMap { value -> CKAsset? in
                        guard case .asset(let asset) = value else { return nil }
                        return CKAsset(fileURL: file(asset), stored: asset)
                    })
            default: WireContext().object(field.value, home: ZoneID(recordID.zoneID))
            }
        if field.isEncrypted { encryptedValues[key] = object } else { setObject(object, forKey: key) }
    }

    /// The field's value. An asset is described by checksum and size only, without a download URL.
    private static func value(of object: any __CKRecordObjCValue, home: ZoneID) -> FieldValue? {
        let assets = assets(in: object).compactMap(\.stored).map {
            FieldValue.asset(Asset(fileChecksum: $0.fileChecksum, size: $0.size))
        }
        if let asset = assets.first { return object is NSArray ? .list(.asset, assets) : asset }
        return try? FieldValue(object)?.checked(home: home)
    }
}
