import Foundation
internal import Records
internal import RecordsWire

/// Downloads the asset files of records that the server returned.
struct AssetDownloads: Sendable {
    let client: CloudClient

    /// Downloads the asset files of the records in `results` and sets them in the records. If a file cannot
    /// be fetched, the result of its record becomes a failure; the error contains the record with the files
    /// that were downloaded. Other records are not affected.
    ///
    /// Assets with equal checksums are downloaded once. If a file of an earlier download still has the same
    /// bytes, it is copied instead. Assets that the client does not want get no file.
    func complete(
        _ results: [Result<CKRecord, any Error>],
        progress: @escaping @Sendable (CKRecordID, Double) -> Void = { _, _ in }
    ) async -> [Result<CKRecord, any Error>] {
        var wanted: [(place: Int, asset: Asset)] = []
        for (place, result) in results.enumerated() {
            guard case .success(let record) = result else { continue }
            let assets = record.assetsToDownload.filter(client.wantsFile)
                .grouped(by: \.fileChecksum)
            wanted += assets.compactMap { group in group.1.first.map { (place, $0) } }
        }
        guard !wanted.isEmpty else { return results }
        // Assets with the same checksum are processed one after another, so that the later ones copy the
        // first file.
        let contents = wanted.grouped(by: \.asset.fileChecksum)
        let totals = Dictionary(wanted.map { ($0.place, Double($0.asset.size)) }, uniquingKeysWith: +)
        let files = await inParallel(contents.map(\.1)) { items in
            var files: [(place: Int, checksum: String, file: Result<URL, CKError>)] = []
            for (place, asset) in items {
                let total = max(1, totals[place] ?? 1)
                let file = await self.fetched(asset) { done in
                    guard let id = results[place].value?.recordID else { return }
                    progress(id, Double(done) / total)
                }
                files.append((place, asset.fileChecksum, file))
            }
            return files
        }
        var found = results
        for (place, group) in files.flatMap({ $0.value ?? [] }).grouped(by: \.place) {
            guard case .success(let record) = results[place] else { continue }
            let urls = group.compactMap { item in item.file.value.map { (item.checksum, $0) } }
            record.placeDownloads(Dictionary(urls, uniquingKeysWith: { first, _ in first }))
            if let error = group.lazy.compactMap(\.file.error).first {
                found[place] = .failure(error.holding(record))
            } else {
                progress(record.recordID, 1)
            }
        }
        return found
    }

    private func fetched(
        _ asset: Asset, progress: @escaping @Sendable (Int64) -> Void
    ) async -> Result<URL, CKError> {
        do {
            return .success(try await download(asset, progress: progress))
        } catch {
            return .failure(CKError(ofFile: error))
        }
    }

    private func download(
        _ asset: Asset, progress: @escaping @Sendable (Int64) -> Void
    ) async throws -> URL {
        guard let address = asset.downloadURL else {
            throw CKError.make(
                .assetNotAvailable,
                "The server returned no download URL for an asset - fetch its record again")
        }
        let cache = DownloadCache(in: client.connection.assetFolder, asset: asset)
        do {
            try FileManager.default.createDirectory(at: cache.folder, withIntermediateDirectories: true)
        } catch {
            throw CKError.make(
                .assetNotAvailable,
                "The folder for assets cannot be created [\(client.connection.assetFolder.path)] - choose"
                    + " another")
        }
        if let copy = cache.copy() { return copy }
        let file = cache.newFile()
        defer { cache.release(file) }
        let target = address.replacingOccurrences(of: "${f}", with: cache.name)
        var request = CloudRequest(.get, target, saveTo: file.path)
        request.resumes = cache.isChecked
        request.maximumBytes = max(0, asset.size)
        request.headers["If-Range"] = "\"\(asset.fileChecksum)\""
        request.onProgress = { done, _ in progress(done) }
        let response = try await client.exchange(request)
        guard case .file(let path) = response.body else {
            throw RecordError(status: response.status, body: response.bytes)
        }
        guard try FileStamp(path: path).size == asset.size else {
            try? FileManager.default.removeItem(at: file)
            throw CKError.make(.networkFailure, "A downloaded asset is incomplete - fetch its record again")
        }
        guard !cache.isChecked || cache.holdsContent(file) else {
            try? FileManager.default.removeItem(at: file)
            throw CKError.make(
                .networkFailure, "A downloaded asset does not match its checksum - fetch its record again")
        }
        return URL(fileURLWithPath: path)
    }
}
