import AssetStore
package import NIOCore
import RecordStore
package import Records
import Synchronization

/// A file that a caller wants to upload.
package struct UploadWish: Hashable, Sendable {
    package var recordName: String?
    package var recordType: String?
    package var fieldName: String
    /// Checksum and size of the file, if the caller knows them.
    package var content: Asset?

    package init(
        recordName: String? = nil, recordType: String? = nil, fieldName: String, content: Asset? = nil
    ) {
        self.recordName = recordName
        self.recordType = recordType
        self.fieldName = fieldName
        self.content = content
    }
}

/// Where one file goes.
package struct UploadPlace: Hashable, Sendable {
    package var recordName: String
    package var fieldName: String
    /// Authorises the upload without other credentials, until it expires.
    package var ticket: String
    /// The file with its receipt, when the server has its bytes already, so that no upload is needed.
    package var asset: Asset?
}

/// A file that is being read.
package struct Download: Sendable {
    package typealias Chunks = any AsyncSequence<ByteBuffer, any Error> & Sendable

    /// Names the content.
    package let fileChecksum: String
    /// Bytes of the whole file.
    package let size: Int64
    /// The bytes of a range of the file, in order. Throws `badRequest` for one that does not lie in it.
    package let chunks: @Sendable (Range<Int64>) throws -> Chunks
}

/// Takes uploads in, hands files out, and deletes the files that no record refers to.
package final class AssetService: Sendable {
    let context: ServiceContext
    let databases: DatabaseService
    let containerRegistry: ContainerRegistry
    let quotas: QuotaService
    let schemaCache: SchemaCache
    let sessions: SessionService
    let rateLimiter: RateLimiter
    /// Signs tickets and receipts.
    let signer: ReceiptSigner
    let uploads = Mutex(UploadLedger())
    let uploadHousekeeping = WakeUp()

    init(
        _ context: ServiceContext, databases: DatabaseService, containerRegistry: ContainerRegistry,
        quotas: QuotaService, schemaCache: SchemaCache, sessions: SessionService, rateLimiter: RateLimiter,
        signer: ReceiptSigner
    ) {
        self.context = context
        self.databases = databases
        self.containerRegistry = containerRegistry
        self.quotas = quotas
        self.schemaCache = schemaCache
        self.sessions = sessions
        self.rateLimiter = rateLimiter
        self.signer = signer
    }

    /// A ticket for each file that is to be uploaded, and the receipt for files that the server has already.
    ///
    /// A receipt is given only for content of a record that the caller created in the same database. So
    /// nobody can read a file, or learn that the server has it, by its checksum alone. Throws `accessDenied`
    /// for the anonymous.
    package func uploadPlaces(
        for wishes: [UploadWish], in scope: DatabaseKind, by caller: Caller
    ) async throws -> [UploadPlace] {
        let key = try databases.key(of: scope, for: caller)
        try checkMayUpload(wishes.count, "tokens", by: caller)
        if scope == .public {
            let rules = try await schemaCache.access(for: caller)
            for type in wishes.compactMap(\.recordType) where !rules.maySave(type) {
                throw rules.verdict(.create, on: type, culprit: type).refusal
            }
        }
        if context.limits.quota != nil, let first = wishes.first {
            try await databases.using(key) { try await checkRoom(for: 1, in: $0, culprit: first.fieldName) }
        }
        let expires = context.runtime.now().advanced(bySeconds: Int64(context.limits.uploadSeconds))
        let places = wishes.map { wish in
            let name = wish.recordName ?? context.runtime.randomUUID()
            let ticket = UploadTicket(
                number: uploads.withLock { $0.newTicket() }, person: caller.userRecordName ?? "",
                key: caller.keyID, database: key.text, recordName: name, recordType: wish.recordType ?? "",
                fieldName: wish.fieldName, expires: expires
            )
            return UploadPlace(recordName: name, fieldName: wish.fieldName, ticket: signer.sign(ticket))
        }
        guard wishes.contains(where: { $0.content != nil }) else { return places }
        return try await databases.using(key) { database in
            var places = places
            guard let person = caller.userRecordName else { return places }
            // No stored file has another size.
            let sizes = 0...context.limits.assetBytes
            let contents = wishes.map { wish in wish.content.flatMap { sizes.contains($0.size) ? $0 : nil } }
            let owned = try await database.records.assets(
                of: Set(contents.compactMap { $0?.fileChecksum }), createdBy: person)
            for (index, content) in contents.enumerated() {
                guard let content, owned.contains(content.fileChecksum) else { continue }
                places[index].asset = try known(
                    content, for: wishes[index], of: person, in: database, by: caller)
            }
            return places
        }
    }

    /// The file that a wish describes, with a receipt, if it is still there: a record of the person has it.
    private func known(
        _ content: Asset, for wish: UploadWish, of person: String, in database: OpenDatabase,
        by caller: Caller
    ) throws -> Asset? {
        let owner = UploadLedger.Person(container: caller.container, name: person)
        // Beyond that the file is uploaded like any other, or refused.
        if uploads.withLock({ $0.files(of: owner) }) >= context.limits.waitingUploads { return nil }
        let now = context.runtime.now()
        return try database.assets.offer(content.fileChecksum, size: content.size, now: now).map { upload in
            let (place, due) = (database.key.text, forgottenAt(now))
            uploads.withLock { $0.offered(upload, to: owner, in: place, due: due) }
            uploadHousekeeping.wake()
            return receipt(for: upload, recordType: wish.recordType, field: wish.fieldName, in: place)
        }
    }

    func receipt(
        for upload: ReceivedUpload, recordType: String?, field: String, in database: String
    ) -> Asset {
        let receipt = UploadReceipt(
            database: database, recordType: recordType ?? "", fieldName: field, upload: upload,
            expires: context.runtime.now().advanced(bySeconds: Int64(context.limits.uploadSeconds))
        )
        return Asset(fileChecksum: upload.fileChecksum, size: upload.size, receipt: signer.sign(receipt))
    }

    /// A receipt for a file that a record has. No upload belongs to it: the file must still be there when the
    /// receipt is used.
    func receipt(for asset: Asset, in key: DatabaseKey) -> Asset {
        let upload = ReceivedUpload(
            uploadID: context.runtime.randomHex(bytes: 16), fileChecksum: asset.fileChecksum, size: asset.size
        )
        let receipt = UploadReceipt(
            database: key.text, recordType: "", fieldName: "", upload: upload,
            expires: context.runtime.now().advanced(bySeconds: Int64(context.limits.uploadSeconds))
        )
        return Asset(fileChecksum: asset.fileChecksum, size: asset.size, receipt: signer.sign(receipt))
    }

    func checkMayUpload(_ count: Int, _ culprit: String, by caller: Caller) throws(RecordError) {
        if caller.userRecordName == nil { throw caller.notSignedIn }
        try RecordError.check(
            count, atMost: context.limits.tokensPerRequest, culprit, next: "ask for them in several requests"
        )
    }

    /// A ticket to download a file that a record refers to.
    package func downloadTicket(
        for fileChecksum: String, in scope: DatabaseKind, by caller: Caller
    ) -> String {
        let key = databases.key(owner: scope == .public ? nil : caller.userRecordName, for: caller)
        let expires = context.runtime.now().advanced(bySeconds: Int64(context.limits.downloadSeconds))
        return signer.sign(
            DownloadTicket(
                database: key.text, fileChecksum: fileChecksum, size: -1,
                session: caller.session?.number ?? 0, expires: expires)
        )
    }

    /// Opens the file that a download ticket is for. It stays readable to its end, even if it is deleted
    /// meanwhile.
    package func download(ticket: String) async throws -> Download {
        let place = try signer.verify(ticket, as: DownloadTicket.self, now: context.runtime.now())
        guard let key = DatabaseKey(text: place.database),
            !sessions.hasEnded(place.session)
        else { throw DownloadTicket.refusal }
        let file = try await databases.using(key) { try await $0.assets.open(place.fileChecksum) }
        return Download(fileChecksum: place.fileChecksum, size: file.size) { try file.chunks(in: $0) }
    }

    /// Throws `quotaExceeded` unless there is room for so many bytes of a file beside those that wait for a
    /// record of the database.
    func checkRoom(for bytes: Int64, in database: OpenDatabase, culprit: String) async throws {
        if context.limits.quota == nil { return }
        let waiting = uploads.withLock { $0.bytes(for: database.key.text) }
        try await quotas.checkRoom(for: bytes.addingSaturated(waiting), in: database, culprit: culprit)
    }

    // MARK: Within a save

    /// Checks the receipts of a draft and adopts their files. Returns the files by the name of the record
    /// that will own them.
    func adopt(
        _ draft: inout ModifyDraft, in database: OpenDatabase
    ) async -> [String: [ReceivedUpload]] {
        var wanted: [String: [ReceivedUpload]] = [:]
        var seen: [String: Set<ReceivedUpload>] = [:]
        let (now, key) = (context.runtime.now(), database.key.text)
        var sizes: [String: Int64?] = [:]
        draft.proveAssets { asset, operation, field in
            guard let text = asset.receipt else {
                // The size of the stored file counts, not the one in the request.
                let known = sizes[asset.fileChecksum] ?? database.assets.size(of: asset.fileChecksum)
                sizes[asset.fileChecksum] = .some(known)
                let size = known ?? min(asset.size, context.limits.assetBytes)
                return .unproven(Asset(fileChecksum: asset.fileChecksum, size: size))
            }
            let receipt = try signer.verify(text, as: UploadReceipt.self, now: now)
            let type = receipt.recordType.isEmpty ? "" : operation.recordType ?? receipt.recordType
            let field = receipt.fieldName.isEmpty ? "" : field
            let upload = receipt.upload
            // The request may carry the receipt alone.
            let named =
                asset.fileChecksum.isEmpty
                ? Asset(fileChecksum: upload.fileChecksum, size: upload.size) : asset
            try receipt.check(database: key, recordType: type, fieldName: field, asset: named)
            // One receipt may stand in several fields, or many times in a list.
            if seen[operation.recordName ?? "", default: []].insert(upload).inserted {
                wanted[operation.recordName ?? "", default: []].append(upload)
            }
            return .proven(Asset(fileChecksum: upload.fileChecksum, size: upload.size))
        }
        var adopted: [String: [ReceivedUpload]] = [:]
        for (name, uploads) in wanted {
            do {
                for upload in uploads {
                    try Task.checkCancellation()
                    try await database.assets.adopt(upload)
                    adopted[name, default: []].append(upload)
                }
            } catch {
                draft.refuse(name, with: context.itemError(error))
            }
        }
        return adopted
    }

    /// Commits the files of the records that were saved, and abandons the others.
    func finish(_ uploads: [String: [ReceivedUpload]], _ results: [ItemResult], in database: OpenDatabase) {
        var (rest, taken) = (uploads, [ReceivedUpload]())
        for case .record(let record) in results {
            for upload in rest.removeValue(forKey: record.id.name) ?? [] {
                database.assets.commit(upload)
                taken.append(upload)
            }
        }
        for upload in rest.values.joined() { database.assets.abandon(upload) }
        if !taken.isEmpty { self.uploads.withLock { $0.taken(taken) } }
    }

    /// Deletes the files that no record refers to any more.
    ///
    /// A file leaves the list of released ones after it was deleted, so that a crash in between leaves no
    /// file behind. A file that a record took and lost again meanwhile stays on the list.
    func collectReleased(in database: OpenDatabase) async throws {
        while true {
            let released = try await database.records.releasedAssets(limit: 256)
            if released.isEmpty, !database.assets.isCollectionDue { return }
            var owned: [String: Bool] = [:]
            try await database.assets.collect(released) { checksum in
                let isOwned = try await database.records.usesAsset(checksum)
                owned[checksum] = isOwned
                return isOwned
            }
            if released.isEmpty { return }
            for isOwned in [true, false] {
                try await database.records.forgetReleasedAssets(
                    released.filter { owned[$0, default: false] == isOwned }, thatAreOwned: isOwned)
            }
        }
    }
}
