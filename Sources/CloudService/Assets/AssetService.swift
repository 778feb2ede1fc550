import AssetStore
import RecordStore
package import Records
import Synchronization

/// The answer to one `RequestedUpload`: a ticket for the upload, or the file if the server already has it.
package struct UploadGrant: Hashable, Sendable {
    package var recordName: String
    package var fieldName: String
    /// Authorises the upload without other credentials, until it expires or the caller's session ends.
    package var ticket: String
    /// The file with its receipt, if the server already has its bytes and no upload is needed.
    package var asset: Asset?
}

/// Receives uploads, serves downloads, and deletes the files that no record refers to.
package final class AssetService: Sendable {
    let context: ServiceContext
    let databases: DatabaseService
    let containerRegistry: ContainerRegistry
    let quotas: QuotaService
    let schemaCache: SchemaCache
    let sessions: SessionService
    let rateLimiter: RateLimiter
    /// Signs tickets and receipts.
    let signer: TicketSigner
    let uploads: Mutex<UploadLedger>
    let uploadHousekeeping = WakeUp()

    init(
        _ context: ServiceContext, databases: DatabaseService, containerRegistry: ContainerRegistry,
        quotas: QuotaService, schemaCache: SchemaCache, sessions: SessionService, rateLimiter: RateLimiter,
        signer: TicketSigner
    ) {
        self.context = context
        self.databases = databases
        self.containerRegistry = containerRegistry
        self.quotas = quotas
        self.schemaCache = schemaCache
        self.sessions = sessions
        self.rateLimiter = rateLimiter
        self.signer = signer
        uploads = Mutex(
            UploadLedger(
                startedAt: context.runtime.now(), acceptsOthers: context.provider.isNode))
    }

    /// The bytes of a file that are in memory while it is received.
    package var uploadBuffer: Int { context.provider.uploadBuffer }

    /// Returns a ticket for each file to upload, and a receipt for each file that the server already has.
    ///
    /// A receipt is given only for content of a record that the caller created in the same database. So a
    /// caller who knows only a checksum can neither read the file nor learn that the server has it.
    ///
    /// Throws `authenticationRequired` for an anonymous caller, `limitExceeded` for too many requests,
    /// `badRequest` for a name that no record, type or field can have, `accessDenied` for a caller who may
    /// not save the record, and `quotaExceeded` if the database is full.
    ///
    /// - Parameter zone: the zone of the records, which in the shared database identifies the owner.
    package func uploadGrants(
        for requests: [RequestedUpload], in scope: DatabaseKind, zone: ZoneID? = nil, by caller: Caller
    ) async throws -> [UploadGrant] {
        let key = try await self.key(for: zone, in: scope, by: caller)
        try checkMayUpload(requests.count, "tokens", by: caller)
        for request in requests { try request.checkNames(context.limits) }
        if scope == .public {
            let rules = try await schemaCache.access(for: caller)
            for type in requests.compactMap(\.recordType) where !rules.maySave(type) {
                throw rules.verdict(.create, on: type, culprit: type).refusal
            }
        }
        if context.limits.quota != nil, let first = requests.first {
            try await databases.using(key) { try await checkRoom(for: 1, in: $0, culprit: first.fieldName) }
        }
        let expires = context.runtime.now().advanced(bySeconds: Int64(context.limits.uploadSeconds))
        let places = requests.map { request in
            let name = request.recordName ?? context.runtime.randomUUID()
            let ticket = UploadTicket(
                number: uploads.withLock { $0.newTicket() }, person: caller.userRecordName ?? "",
                key: caller.keyID, session: caller.session?.number ?? 0, database: key.text, recordName: name,
                recordType: request.recordType ?? "", fieldName: request.fieldName,
                zone: scope == .shared ? zone?.name ?? "" : "", expires: expires
            )
            return UploadGrant(recordName: name, fieldName: request.fieldName, ticket: signer.sign(ticket))
        }
        guard requests.contains(where: { $0.content != nil }) else { return places }
        return try await databases.using(key) { database in
            var places = places
            guard let person = caller.userRecordName else { return places }
            // No stored file has a size outside this range.
            let sizes = 0...context.limits.assetBytes
            let contents = requests.map { request in
                request.content.flatMap { sizes.contains($0.size) ? $0 : nil }
            }
            let checksums = Set(contents.compactMap { $0?.fileChecksum })
            let owned = try await ownedChecksums(
                checksums, of: person, in: database, scope == .shared ? zone : nil, by: caller)
            for (index, content) in contents.enumerated() {
                guard let content, owned.contains(content.fileChecksum) else { continue }
                places[index].asset = try await existingFile(
                    content, for: requests[index], of: person, in: database, by: caller)
            }
            return places
        }
    }

    /// The database for uploads. In the shared database, the caller must have the permission to write in a
    /// share of the zone.
    private func key(
        for zone: ZoneID?, in scope: DatabaseKind, by caller: Caller
    ) async throws -> DatabaseKey {
        if scope != .shared { return try databases.key(of: scope, for: caller) }
        return try await databases.reading(scope, zone: zone, for: caller) { database, guest in
            if let guest, let zone = zone?.name { try await checkMayWrite(guest, in: zone, of: database) }
            return database.key
        }
    }

    /// Throws unless the guest may write the records of a share in the zone.
    func checkMayWrite(
        _ guest: Guest, in zone: String, of database: OpenDatabase
    ) async throws {
        let shares = try await database.records.heads(named: guest.shares.sorted(), in: zone)
        if shares.contains(where: { $0?.sharing?.terms?.permission(of: guest.person) == .readWrite }) {
            return
        }
        throw RecordError(
            .accessDenied, "WRITE operation not permitted", culprit: zone,
            nextStep: "ask the owner for permission to write")
    }

    /// Returns the checksums of the files to which a record of the person refers. Returns an empty set, so
    /// that all files are uploaded, if the search takes too long because very many records refer to one file.
    ///
    /// - Parameter zone: in the database of another owner, the zone in which a record with the file must be
    ///   shared with the person.
    private func ownedChecksums(
        _ checksums: Set<String>, of person: String, in database: OpenDatabase, _ zone: ZoneID?,
        by caller: Caller
    ) async throws -> Set<String> {
        do {
            return try await databases.slowWork.reading(for: caller.workPayer) {
                var owned = try await database.records.assets(of: checksums, createdBy: person)
                guard let zone else { return owned }
                for file in owned {
                    let isShared = try await database.records.isAsset(
                        file, sharedWith: person, in: zone.name)
                    if !isShared { owned.remove(file) }
                }
                return owned
            }
        } catch let error as RecordError where error.code == .limitExceeded {
            return []
        }
    }

    /// The file that a request describes, with a receipt; nil if it is no longer stored or if it is damaged.
    /// A record of the person refers to the file.
    private func existingFile(
        _ content: Asset, for request: RequestedUpload, of person: String, in database: OpenDatabase,
        by caller: Caller
    ) async throws -> Asset? {
        let owner = UploadLedger.Person(container: caller.container, name: person)
        // At this limit the file must be uploaded like any other, which may be refused.
        if uploads.withLock({ $0.files(of: owner) }) >= context.limits.waitingUploads { return nil }
        let now = context.runtime.now()
        guard
            let upload = try await database.assets.offer(content.fileChecksum, size: content.size, now: now)
        else { return nil }
        let (place, due) = (database.key.text, deletionTime(ofUploadAt: now))
        uploads.withLock { $0.addOffered(upload, to: owner, in: place, due: due) }
        uploadHousekeeping.wake()
        return receipt(for: upload, recordType: request.recordType, field: request.fieldName, in: place)
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

    /// A receipt for a file to which a record refers. It belongs to no upload, so the file must still exist
    /// when the receipt is used.
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
    ///
    /// - Parameters:
    ///   - owner: the owner of the record's database; nil in the public one.
    ///   - zone: the record's zone. In the shared database the ticket ends when no record of the zone that
    ///     is shared with the caller refers to the file any more.
    package func downloadTicket(
        for fileChecksum: String, in scope: DatabaseKind, of owner: String?, zone: String?,
        by caller: Caller
    ) -> String {
        let key = databases.key(owner: scope == .public ? nil : owner, for: caller)
        let expires = context.runtime.now().advanced(bySeconds: Int64(context.limits.downloadSeconds))
        let person = caller.userRecordName ?? ""
        let isGuest = scope == .shared && owner != person
        return signer.sign(
            DownloadTicket(
                database: key.text, fileChecksum: fileChecksum, session: caller.session?.number ?? 0,
                guest: isGuest ? person : "",
                zone: isGuest ? zone ?? "" : "", expires: expires)
        )
    }

    /// Opens the file of a download ticket. It stays readable to its end, even if it is deleted meanwhile.
    /// Throws `notFound` for a guest with whom no record with the file is shared any more.
    package func download(ticket: String) async throws -> Download {
        let place = try signer.verify(ticket, as: DownloadTicket.self, now: context.runtime.now())
        guard let key = DatabaseKey(text: place.database),
            // `using` would create the database again if it was deleted meanwhile.
            context.provider.exists(key), try await sessions.isValid(place.session)
        else { throw DownloadTicket.refusal }
        let file = try await databases.using(key) { database in
            if !place.guest.isEmpty {
                let guest = Caller(
                    container: key.container, environment: key.environment, identity: .person(place.guest))
                let isShared = try await databases.slowWork.reading(for: guest.workPayer) {
                    try await database.records.isAsset(
                        place.fileChecksum, sharedWith: place.guest, in: place.zone)
                }
                if !isShared { throw RecordError.missingFile }
            }
            return try await database.assets.open(place.fileChecksum)
        }
        let kind: DatabaseKind = key.owner == nil ? .public : place.guest.isEmpty ? .private : .shared
        return Download(database: key, kind: kind, fileChecksum: place.fileChecksum, size: file.size) {
            try await file.verifiedChunks(in: $0, of: $1)
        }
    }

    /// Throws `quotaExceeded` unless the database has room for `bytes` in addition to the uploads that wait
    /// for a record.
    func checkRoom(for bytes: Int64, in database: OpenDatabase, culprit: String) async throws {
        if context.limits.quota == nil { return }
        let waiting = uploads.withLock { $0.bytes(for: database.key.text) }
        try await quotas.checkRoom(for: bytes.addingSaturated(waiting), in: database, culprit: culprit)
    }

    // MARK: Assets of a save

    /// Verifies the receipts of a draft and adopts their files. Returns the adopted files by the name of the
    /// record that will own them.
    ///
    /// Throws `throttled` when too many requests of the caller wait for slow work.
    func adopt(
        _ draft: inout ModifyDraft, in database: OpenDatabase, by caller: Caller
    ) async throws -> [String: [ReceivedUpload]] {
        draft.keptAssets = try await keptAssets(of: draft, in: database, by: caller)
        let given = draft
        // The sizes of the stored files count, not those in the request.
        let checksums = given.keptAssets.values.reduce(into: Set()) { $0.formUnion($1) }
        let sizes =
            checksums.count < Self.manyAssets
            ? try await database.assets.sizes(of: checksums)
            : try await databases.slowWork.onSlowThread(for: caller.workPayer) {
                try await database.assets.sizes(of: checksums)
            }
        let proof = try await working(onAssetsOf: given, for: caller) { proven(given, sizes, in: database) }
        draft = proof.draft
        var adopted: [String: [ReceivedUpload]] = [:]
        for (name, uploads) in proof.wanted {
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

    /// The assets of a save are checked on another thread if there are at least this many.
    private static let manyAssets = 1000

    /// Runs work that looks at each asset of a save: on this thread, or on another one if there are many.
    private func working<Result>(
        onAssetsOf draft: ModifyDraft, for caller: Caller, _ work: () throws -> Result
    ) async throws -> Result {
        if draft.assetCount < Self.manyAssets { return try work() }
        return try await databases.slowWork.computing(for: caller.workPayer, work)
    }

    /// Returns the value for `ModifyDraft.keptAssets`.
    private func keptAssets(
        of draft: ModifyDraft, in database: OpenDatabase, by caller: Caller
    ) async throws -> [String: Set<String>] {
        let unsigned = try await working(onAssetsOf: draft, for: caller) { draft.unsignedChecksums }
        if unsigned.isEmpty { return [:] }
        return try await databases.slowWork.reading(for: caller.workPayer) {
            try await database.records.assets(of: unsigned, inZone: draft.zone)
        }
    }

    /// The draft after its receipts have been verified, and the uploads that they prove, by the name of the
    /// record that will own the files.
    private func proven(
        _ draft: ModifyDraft, _ sizes: [String: Int64], in database: OpenDatabase
    ) -> (draft: ModifyDraft, wanted: [String: [ReceivedUpload]]) {
        var draft = draft
        var wanted: [String: [ReceivedUpload]] = [:]
        var seen: [String: Set<ReceivedUpload>] = [:]
        // One receipt may occur in several fields, or many times in a list. It is verified once.
        var verified: [[UInt8]: UploadReceipt] = [:]
        let (now, key) = (context.runtime.now(), database.key.text)
        draft.proveAssets { asset, operation, field in
            guard let text = asset.receipt else {
                // A lost file has no size. A file that the record does not own is refused at the commit.
                let size = sizes[asset.fileChecksum] ?? min(asset.size, context.limits.assetBytes)
                return .unproven(Asset(fileChecksum: asset.fileChecksum, size: size))
            }
            let bytes = [UInt8](text.utf8)
            let receipt = try verified[bytes] ?? signer.verify(text, as: UploadReceipt.self, now: now)
            verified[bytes] = receipt
            let type = receipt.recordType.isEmpty ? "" : operation.recordType ?? receipt.recordType
            let field = receipt.fieldName.isEmpty ? "" : field
            let upload = receipt.upload
            // The request may contain only the receipt, without checksum and size.
            let named =
                asset.fileChecksum.isEmpty
                ? Asset(fileChecksum: upload.fileChecksum, size: upload.size) : asset
            try receipt.check(database: key, recordType: type, fieldName: field, asset: named)
            if seen[operation.recordName ?? "", default: []].insert(upload).inserted {
                wanted[operation.recordName ?? "", default: []].append(upload)
            }
            return .proven(Asset(fileChecksum: upload.fileChecksum, size: upload.size))
        }
        return (draft, wanted)
    }

    /// Commits the files of the records that were saved, and abandons the others.
    func finish(
        _ uploads: [String: [ReceivedUpload]], _ results: [ItemResult], in database: OpenDatabase
    ) async {
        var (rest, taken) = (uploads, [ReceivedUpload]())
        for case .record(let record) in results {
            for upload in rest.removeValue(forKey: record.id.name) ?? [] {
                await database.assets.commit(upload)
                taken.append(upload)
            }
        }
        for upload in rest.values.joined() { await database.assets.abandon(upload) }
        if !taken.isEmpty { self.uploads.withLock { $0.removeTaken(taken) } }
    }

    /// Deletes the files that no record refers to any more.
    ///
    /// A file leaves the list of released files after it was deleted, so that a crash in between leaves no
    /// orphaned file. A file stays on the list if it is in use, or if a record referred to it again and
    /// released it again meanwhile.
    func collectReleased(in database: OpenDatabase) async throws {
        while true {
            let released = try await database.records.releasedAssets(limit: 256)
            if released.isEmpty, !database.assets.isCollectionDue { return }
            var owned: [String: Bool] = [:]
            let undecided = try await database.assets.collect(released) { checksum in
                let isOwned = try await database.records.usesAsset(checksum)
                owned[checksum] = isOwned
                return isOwned
            }
            let decided = released.filter { !undecided.contains($0) }
            if decided.isEmpty { return }
            for isOwned in [true, false] {
                try await database.records.forgetReleasedAssets(
                    decided.filter { owned[$0, default: false] == isOwned }, thatAreOwned: isOwned)
            }
        }
    }
}
