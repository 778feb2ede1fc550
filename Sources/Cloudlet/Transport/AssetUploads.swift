import Foundation
internal import Records
internal import RecordsWire

/// Uploads the asset files of records that are about to be saved.
struct AssetUploads: Sendable {
    let client: CloudClient

    /// Uploads the files of drafts in one zone and stores the returned receipts in the drafts.
    ///
    /// - Returns: The errors by draft index. Drafts without an error are ready to be saved.
    /// - Throws: `CKError` when the server did not return upload addresses.
    func upload(
        _ drafts: inout [RecordDraft], zone: ZoneID, progress: @escaping @Sendable (CKRecord, Double) -> Void
    ) async throws -> [Int: CKError] {
        var failures: [Int: CKError] = [:]
        var sendings: [Sending] = []
        for (place, draft) in drafts.enumerated() {
            do {
                sendings += try draft.uploads.map { try Sending($0, draft: place, client.limits) }
            } catch {
                failures[place] = CKError(failure: error)
            }
        }
        sendings.removeAll { failures[$0.draft] != nil }
        guard !sendings.isEmpty else { return failures }
        let results = try await receipts(for: sendings, drafts: drafts, zone: zone, progress: progress)
        for (sending, result) in zip(sendings, results) {
            switch result {
            case .success(let asset): drafts[sending.draft].place(asset, for: sending.upload)
            case .failure(let error): failures[sending.draft] = error
            }
        }
        return failures
    }

    /// Requests upload addresses for a group of files and sends the files in parallel, then continues with
    /// the next group, because an address is valid for a limited time.
    private func receipts(
        for sendings: [Sending], drafts: [RecordDraft], zone: ZoneID,
        progress: @escaping @Sendable (CKRecord, Double) -> Void
    ) async throws -> [Result<Asset, CKError>] {
        let totals = Dictionary(sendings.map { ($0.draft, $0.size) }, uniquingKeysWith: +)
        let records = drafts.map(\.record)
        let limits = client.limits
        let groups = sendings.groups(
            ofAtMost: limits.tokensPerRequest, bytes: limits.batchUploadBytes, \.size)
        var results: [Result<Asset, CKError>] = []
        for group in groups {
            let tokens = try await uploadTokens(for: group, drafts: drafts, zone: zone)
            results += await inParallel(Array(zip(group, tokens)), atMost: limits.uploadsPerPerson) {
                (sending, token) in
                let share = Double(sending.size) / Double(max(1, totals[sending.draft] ?? 1))
                return try await self.send(sending, with: token) { fraction in
                    progress(records[sending.draft], min(fraction * share, 0.99))
                }
            }
        }
        return results
    }

    /// Requests the upload tokens of a group of files: for each the address to which it is sent or, if the
    /// server already has its bytes, the stored asset.
    private func uploadTokens(
        for sendings: [Sending], drafts: [RecordDraft], zone: ZoneID
    ) async throws -> [AssetsUploadAnswer.Token] {
        // Send each file's checksum and size, so that a server which already has the bytes skips the upload.
        let contents = await inParallel(sendings) { try $0.content() }
        let wanted = zip(sendings, contents).map { sending, content in
            AssetsUploadRequest.Token(
                recordName: drafts[sending.draft].sent.id.recordName,
                recordType: drafts[sending.draft].sent.type,
                fieldName: sending.upload.fieldName,
                content: content.value
            )
        }
        let tokens = try await request(wanted, zone: zone)
        return zip(wanted, tokens).map { wanted, token in
            var token = token
            if token.asset?.fileChecksum != wanted.content?.fileChecksum { token.asset = nil }
            return token
        }
    }

    private func request(
        _ wanted: [AssetsUploadRequest.Token], zone: ZoneID
    ) async throws -> [AssetsUploadAnswer.Token] {
        let answer: AssetsUploadAnswer
        do {
            answer = try AssetsUploadAnswer(
                bytes: try await client.call(
                    .assetsUpload, AssetsUploadRequest(wanted, zone: zone), changes: true))
        } catch {
            throw CKError(failure: error)
        }
        guard answer.tokens.count == wanted.count else {
            throw CKError.incompleteAnswer(answer.tokens.count, of: wanted.count, "files")
        }
        return answer.tokens
    }

    private func send(
        _ sending: Sending, with token: AssetsUploadAnswer.Token,
        progress: @escaping @Sendable (Double) -> Void
    ) async throws -> Asset {
        switch sending.source {
        case .server(let stored):
            guard let known = token.asset, known.size == stored.size else { throw sending.notAvailable }
            return known
        case .file(let path, let stamp):
            let asset =
                if let known = token.asset {
                    known
                } else {
                    try await sent(path, stamp, to: token.url, progress: progress)
                }
            guard asset.size == stamp.size, try FileStamp(path: path) == stamp else {
                throw CKError.modified(path)
            }
            return asset
        }
    }

    private func sent(
        _ path: String, _ stamp: FileStamp, to address: String,
        progress: @escaping @Sendable (Double) -> Void
    ) async throws -> Asset {
        var request = CloudRequest(.post, address, body: .file(path: path))
        request.headers["Content-Type"] = "application/octet-stream"
        request.headers[detailsHeader] = "1"
        request.onProgress = { done, total in progress(Double(done) / Double(max(1, total ?? done))) }
        do {
            return try SingleFileAnswer(bytes: try await accepted(request)).asset
        } catch CloudTransportError.file {
            throw try FileStamp(path: path) == stamp
                ? CKError.make(
                    .assetNotAvailable, "The file cannot be read [\(path)] - check its permissions")
                : CKError.modified(path)
        }
    }

    /// Sends a file and returns the body of the answer. If the person already has the maximum number of
    /// uploads in progress, the file is sent again after the wait that the server names, while its address is
    /// valid.
    private func accepted(_ request: CloudRequest) async throws -> [UInt8] {
        var left = client.limits.uploadSeconds
        while true {
            let response = try await client.exchange(request)
            if response.status == 200 { return response.bytes }
            let error = RecordError(status: response.status, body: response.bytes)
            guard error.code == .tryAgainLater, error.culprit == "uploadsPerPerson",
                let seconds = error.retryAfter, seconds > 0, seconds < left
            else { throw error }
            left -= seconds
            try await client.connection.pause(.seconds(seconds))
        }
    }
}

extension CKError {
    /// Whether the server refused an upload address, which may have expired.
    var refusesUpload: Bool {
        [.permissionFailure, .notAuthenticated, .unknownItem, .invalidArguments].contains(code)
    }

    /// The error of a record whose files took longer to send than an upload address is valid.
    static func uploadTooSlow(_ limits: Limits) -> CKError {
        make(
            .networkFailure,
            "The files of a record took longer to send than the server waits for them, which is"
                + " \(limits.uploadSeconds) seconds - save the record again, on a faster connection",
            userInfo: [slowUploadKey: NSNumber(value: true)])
    }

    /// Whether the files of a record took longer to send than an upload address is valid.
    package var isSlowUpload: Bool { (userInfo[Self.slowUploadKey] as? NSNumber)?.boolValue ?? false }

    private static let slowUploadKey = "CloudletSlowUpload"

    fileprivate static func modified(_ path: String) -> CKError {
        make(.assetFileModified, "The file changed while it was sent [\(path)] - save the record again")
    }
}

/// An asset to send.
private struct Sending: Sendable {
    /// The location of the asset's bytes.
    enum Source: Sendable {
        case file(path: String, FileStamp)
        /// An asset that is stored on the server and has no file on this device. The server copies the bytes.
        case server(Asset)
    }

    let upload: RecordDraft.Upload
    /// Index of the asset's record among the drafts.
    let draft: Int
    let source: Source

    /// Throws `CKError.assetFileNotFound` when the file does not exist, `.limitExceeded` when it is larger
    /// than `limits.assetBytes`.
    init(_ upload: RecordDraft.Upload, draft: Int, _ limits: Limits) throws {
        self.upload = upload
        self.draft = draft
        if let stored = upload.asset.stored, upload.asset.fileURL == nil {
            source = .server(stored)
            return
        }
        guard let url = upload.asset.fileURL, url.isFileURL else {
            throw CKError.make(
                .assetFileNotFound,
                "The asset has no file on this device [\(upload.fieldName)] - create it with a file URL")
        }
        let path = url.resolvingSymlinksInPath().path
        let stamp = try FileStamp(path: path)
        guard stamp.size <= limits.assetBytes else {
            throw CKError.assetTooLarge(upload.fieldName, bytes: stamp.size, limit: limits.assetBytes)
        }
        source = .file(path: path, stamp)
    }

    /// In bytes.
    var size: Int64 {
        switch source {
        case .file(_, let stamp): stamp.size
        case .server(let stored): stored.size
        }
    }

    /// The checksum and size of the bytes. Throws when the file cannot be read.
    func content() throws -> Asset {
        switch source {
        case .file(let path, _): try FileContent.describe(path: path)
        case .server(let stored): Asset(fileChecksum: stored.fileChecksum, size: stored.size)
        }
    }

    var notAvailable: CKError {
        .make(
            .assetNotAvailable,
            "No record that this person created in this database has the asset [\(upload.fieldName)] - save "
                + "its file instead")
    }
}

/// The size and modification date of a file, compared before and after an upload to detect changes.
struct FileStamp: Hashable, Sendable {
    /// In bytes.
    var size: Int64
    var modified: Date?

    /// Throws `CKError.assetFileNotFound` when there is no file at `path`, or when it is not a regular file.
    init(path: String) throws {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
            throw CKError.make(
                .assetFileNotFound, "There is no such file [\(path)] - write it first, or leave the asset out"
            )
        }
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw CKError.make(
                .assetFileNotFound, "This is not a regular file [\(path)] - save one file as the asset")
        }
        size = (attributes[.size] as? NSNumber)?.int64Value ?? 0
        modified = attributes[.modificationDate] as? Date
    }
}
