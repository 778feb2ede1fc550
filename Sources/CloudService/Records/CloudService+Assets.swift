// Owns the way of files: where to upload, what proves it, where to download, when to collect.

import AssetStore
package import NIOCore
import RecordStore
package import Records

/// A file that a caller wants to upload (web services sheet 4).
package struct UploadWish: Hashable, Sendable {
    package var recordName: String?
    package var recordType: String?
    package var fieldName: String

    package init(recordName: String? = nil, recordType: String? = nil, fieldName: String) {
        self.recordName = recordName
        self.recordType = recordType
        self.fieldName = fieldName
    }
}

/// Where one file goes.
package struct UploadPlace: Hashable, Sendable {
    package var recordName: String
    package var fieldName: String
    /// Authorises the upload by itself, for a while.
    package var ticket: String
}

/// A file on its way to a reader.
package struct Download: Sendable {
    /// In bytes.
    package var size: Int64
    package var chunks: any AsyncSequence<ByteBuffer, any Error> & Sendable
}

extension CloudService {
    /// A ticket for each file that is to be uploaded. Throws `accessDenied` for the anonymous.
    package func uploadPlaces(
        for wishes: [UploadWish], in scope: DatabaseKind, by caller: Caller
    ) async throws -> [UploadPlace] {
        let database = try await database(scope, for: caller)
        if caller.userRecordName == nil {
            throw RecordError(
                .accessDenied, "CREATE operation not permitted", culprit: "assets/upload",
                nextStep: "sign in first"
            )
        }
        if wishes.count > limits.tokensPerRequest {
            throw RecordError(
                .limitExceeded, "more than \(limits.tokensPerRequest) upload tokens in one request",
                culprit: "tokens", nextStep: "ask for them in several requests"
            )
        }
        let expires = seams.now().advanced(bySeconds: Int64(limits.uploadLifetime))
        return wishes.map { wish in
            let name = wish.recordName ?? seams.randomUUID()
            let ticket = UploadTicket(
                database: database.key.text, recordName: name, recordType: wish.recordType ?? "",
                fieldName: wish.fieldName, expires: expires
            )
            return UploadPlace(recordName: name, fieldName: wish.fieldName, ticket: signer.sign(ticket))
        }
    }

    /// Takes the bytes of a file. The asset in the result carries the receipt that puts it into a record.
    package func receive<Body: AsyncSequence>(
        _ body: Body, expectedSize: Int64?, ticket: String
    ) async throws -> Asset where Body.Element == ByteBuffer {
        let now = seams.now()
        let place = try signer.verify(ticket, as: UploadTicket.self, now: now)
        guard let key = DatabaseKey(text: place.database) else { throw RecordError.badReceipt("url") }
        let database = try await databases.database(key)
        database.assets.discardUploads(
            receivedBefore: now.advanced(bySeconds: -Int64(limits.uploadLifetime) * 2))
        let upload = try await database.assets.receive(
            body: body, expectedSize: expectedSize, limit: limits.assetBytes, now: now
        )
        let receipt = UploadReceipt(
            database: place.database, recordType: place.recordType, fieldName: place.fieldName,
            upload: upload,
            expires: now.advanced(bySeconds: Int64(limits.uploadLifetime))
        )
        return Asset(fileChecksum: upload.fileChecksum, size: upload.size, receipt: signer.sign(receipt))
    }

    /// A ticket to download a file that a record refers to.
    package func downloadTicket(for fileChecksum: String, in scope: DatabaseKind, by caller: Caller) -> String
    {
        let owner = scope == .public ? nil : caller.userRecordName
        let key = DatabaseKey(container: caller.container, environment: caller.environment, owner: owner)
        let expires = seams.now().advanced(bySeconds: Int64(limits.downloadLifetime))
        return signer.sign(
            DownloadTicket(database: key.text, fileChecksum: fileChecksum, size: -1, expires: expires)
        )
    }

    /// Opens the file that a download ticket is for.
    package func download(ticket: String) async throws -> Download {
        let place = try signer.verify(ticket, as: DownloadTicket.self, now: seams.now())
        guard let key = DatabaseKey(text: place.database) else { throw DownloadTicket.refusal }
        let file = try await databases.database(key).assets.open(place.fileChecksum)
        return Download(size: file.size, chunks: try file.chunks())
    }

    // MARK: Within a save

    /// Proves the assets of a draft and takes their files over, by the record that will own them.
    func adoptUploads(
        _ draft: inout ModifyDraft, in database: OpenDatabase
    ) async -> [String: [ReceivedUpload]] {
        var wanted: [String: [ReceivedUpload]] = [:]
        let (now, key) = (seams.now(), database.key.text)
        draft.proveAssets { asset, operation, field in
            guard let text = asset.receipt else { return nil }
            let receipt = try signer.verify(text, as: UploadReceipt.self, now: now)
            let type = receipt.recordType.isEmpty ? "" : operation.recordType ?? receipt.recordType
            try receipt.check(database: key, recordType: type, fieldName: field, asset: asset)
            wanted[operation.recordName ?? "", default: []].append(receipt.upload)
            return Asset(fileChecksum: asset.fileChecksum, size: asset.size)
        }
        var adopted: [String: [ReceivedUpload]] = [:]
        for (name, uploads) in wanted {
            do {
                for upload in uploads {
                    try await database.assets.adopt(upload)
                    adopted[name, default: []].append(upload)
                }
            } catch {
                draft.refuse(name, with: Self.recordError(error))
            }
        }
        return adopted
    }

    /// Keeps the files of the records that were saved and gives the others back.
    func settle(_ uploads: [String: [ReceivedUpload]], _ results: [ItemResult], in database: OpenDatabase) {
        var rest = uploads
        for case .record(let record) in results {
            for upload in rest.removeValue(forKey: record.id.name) ?? [] { database.assets.commit(upload) }
        }
        for upload in rest.values.joined() { database.assets.abandon(upload) }
    }

    /// Deletes the files that no record refers to any more.
    func collectReleasedAssets(in database: OpenDatabase) async throws {
        while true {
            let released = try await database.records.releasedAssets(limit: 256)
            if released.isEmpty { return }
            try await database.assets.collect(released) { try await database.records.usesAsset($0) }
            try await database.records.forgetReleasedAssets(released)
        }
    }
}
