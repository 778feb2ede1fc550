import Foundation
internal import Records

extension CKRecord {
    /// The assets that the server stores and that this device has not downloaded, in order of their field
    /// names.
    var assetsToDownload: [Asset] {
        state.withLock { state in
            state.fields.sorted { $0.key < $1.key }.flatMap { Self.assets(in: $0.value) }
                .filter { $0.fileURL == nil }
                .compactMap(\.stored)
        }
    }

    /// Sets the downloaded files of assets.
    ///
    /// - Parameter files: The local files by checksum.
    func placeDownloads(_ files: [String: URL]) {
        state.withLock { state in
            state.fields = state.fields.mapValues { Self.placing(files, in: $0) }
            state.baseFields = state.fields
        }
    }

    /// The assets in a field's value, which may be one asset or a list.
    static func assets(in object: any __CKRecordObjCValue) -> [CKAsset] {
        switch object {
        case let asset as CKAsset: [asset]
        case let array as NSArray: array.compactMap { $0 as? CKAsset }
        default: []
        }
    }

    private static func placing(
        _ files: [String: URL], in object: any __CKRecordObjCValue
    ) -> any __CKRecordObjCValue {
        func placed(_ asset: CKAsset) -> CKAsset {
            guard asset.fileURL == nil, let stored = asset.stored, let file = files[stored.fileChecksum]
            else { return asset }
            return CKAsset(fileURL: file, stored: stored)
        }
        switch object {
        case let asset as CKAsset: return placed(asset)
        case let array as NSArray where array.contains { $0 is CKAsset }:
            return NSArray(array: array.map { ($0 as? CKAsset).map(placed) ?? $0 })
        default: return object
        }
    }
}
