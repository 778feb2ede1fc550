import RecordStore
package import Records

/// A page of query results.
package struct QueryAnswer: Sendable {
    /// The records in order; consecutive records of one zone form one run.
    package var runs: [PackedChanges]
    package var marker: [UInt8]?
    /// The zone's token as of the first page, if it was wanted.
    package var token: ChangeToken?
}

/// The results of a look-up or a batch.
package struct ItemsAnswer: Sendable {
    /// One for each item, in the order asked.
    package var results: [ItemResult]
    /// The zone's token as of the answer, if it was wanted. Changes that the answer does not show come after
    /// this token in the zone's feed.
    package var token: ChangeToken?
}

/// Saves, reads and queries records, and returns their changes.
package final class RecordService: Sendable {
    let context: ServiceContext
    let databases: DatabaseService
    let assets: AssetService
    let quotas: QuotaService
    let schemaCache: SchemaCache
    let credentials: CredentialService
    let rateLimiter: RateLimiter
    let usageLog: SchemaUsageLog
    /// Seals the cursors and change tokens that clients keep.
    let seal: TokenSeal
    /// Counts the bytes of answers that are being sent.
    let answers: ByteAccount
    /// Makes saves fail on purpose; nil on a server that accepts no faults.
    let faults: FaultInjector?

    init(
        _ context: ServiceContext, databases: DatabaseService, assets: AssetService, quotas: QuotaService,
        schemaCache: SchemaCache, credentials: CredentialService, rateLimiter: RateLimiter,
        usageLog: SchemaUsageLog, seal: TokenSeal, answers: ByteAccount, faults: FaultInjector?
    ) {
        self.context = context
        self.databases = databases
        self.assets = assets
        self.quotas = quotas
        self.schemaCache = schemaCache
        self.credentials = credentials
        self.rateLimiter = rateLimiter
        self.usageLog = usageLog
        self.seal = seal
        self.answers = answers
        self.faults = faults
    }

    /// The records with these names, in order; a missing record has its own error.
    package func lookup(
        _ names: [String], zone: ZoneID?, wantsToken: Bool = false, in scope: DatabaseKind, by caller: Caller
    ) async throws -> ItemsAnswer {
        try RecordError.check(
            names.count, atMost: context.limits.recordsPerResponse, "records",
            next: "ask for them in several requests"
        )
        let answer = try await found(names, zone, wantsToken, scope, caller)
        if try await makeUserRecords(missedBy: answer.results, zone: zone, in: scope, for: caller) {
            return try await found(names, zone, wantsToken, scope, caller)
        }
        return answer
    }

    private func found(
        _ names: [String], _ zone: ZoneID?, _ wantsToken: Bool, _ scope: DatabaseKind, _ caller: Caller
    ) async throws -> ItemsAnswer {
        try await databases.reading(scope, zone: zone, for: caller) { database, guest in
            let rules = scope == .public ? try await schemaCache.access(for: caller) : nil
            let zone = try databases.zoneName(zone, in: database)
            // Hidden records are not read, because their sizes must not count. A record that leaves the share
            // while the records are read is hidden afterwards.
            let asked = try await databases.visible(Array(Set(names)), in: zone, of: database, to: guest)
            let (found, token) = try await records(
                named: asked.map { names.filter($0.contains) } ?? names, in: zone,
                wantsToken: wantsToken && guest == nil, of: database, guest == nil ? .plain : .shared)
            let visible = try await databases.visible(
                Array(found.keys), in: zone, of: database, to: guest)
            let results = names.map { name -> ItemResult in
                if let record = found[name], visible?.contains(name) ?? true {
                    return rules?.refusal(toShow: record).map { .failure(record.id, $0) } ?? .record(record)
                }
                return .failure(RecordID(name: name, zone: ZoneID(name: zone)), .recordNotFound(name))
            }
            return ItemsAnswer(results: results, token: token.map { seal.sealed($0) })
        }
    }

    /// The stored records with these names, and the zone's token as of the same moment if it is wanted. Each
    /// record is read once, however often it is named.
    ///
    /// Throws `limitExceeded` as soon as the records exceed `Limits.lookupBytes`, before all of them are in
    /// memory. A record counts as often as it is named, because the answer repeats it.
    func records(
        named names: [String], in zone: String, wantsToken: Bool = false, of database: OpenDatabase,
        _ addresses: AssetAddress = .plain
    ) async throws -> (records: [String: StoredRecord], token: ChangeToken?) {
        var times: [String: Int] = [:]
        for name in names { times[name, default: 0] += 1 }
        // The common case: no name occurs twice.
        let distinct = times.count == names.count ? names : Array(times.keys)
        var found: [String: StoredRecord] = [:]
        var (bytes, counted) = (0, 0)
        // The records in memory count like an answer that is being sent, if they are large.
        var lease: ByteLease?
        let limit = context.limits.lookupBytes
        let token = try await database.records.lookup(
            distinct, in: zone, atMost: limit, wantsToken: wantsToken
        ) { record in
            guard let record else { return }
            bytes += record.answerBytes(addresses) * times[record.id.name, default: 1]
            found[record.id.name] = record
            if bytes > limit { throw RecordError.answerTooLarge(limit: limit) }
            if bytes - counted < Self.largeLookup { return }
            lease = try lease ?? answers.lease(0, for: [])
            try lease?.grow(by: bytes - counted)
            counted = bytes
        }
        return (found, token)
    }

    /// A look-up of at least this many bytes of fields counts as an answer that is being sent.
    private static let largeLookup = 1_048_576

    /// Returns a page of the records that match a query.
    package func query(
        _ request: QueryRequest, wantsToken: Bool = false, in scope: DatabaseKind, by caller: Caller
    ) async throws -> QueryAnswer {
        try await databases.reading(scope, zone: request.zone, for: caller) { database, guest in
            let givesToken = wantsToken && guest == nil
            let rules = try await schemaCache.access(for: caller)
            let reach = scope == .public ? try rules.reach(of: request.query.recordType) : .all
            var zone: String? = try databases.zoneName(request.zone, in: database)
            if request.zone == nil, request.isZoneWide, scope == .private { zone = nil }
            var plan = try QueryRules(limits: context.limits, indexCommand: caller.indexCommand).plan(
                request.query, zone: zone, limit: request.limit, in: rules.schema
            )
            if case .own(let user) = reach { plan.filters.append(.created(by: user)) }
            if let guest, !guest.seesWholeZone { plan.participant = guest.person }
            if guest != nil { plan.addresses = .shared }
            if let marker = request.marker {
                plan.cursor = try QueryCursor(
                    marker: try opened(marker, for: guest, in: database), for: plan)
            }
            plan.wantsToken = givesToken && plan.cursor?.token == nil
            var page = try await database.records.query(plan)
            let token = givesToken ? plan.cursor?.token ?? page.token : nil
            page.cursor?.token = token
            usageLog.add(request.query, by: caller)
            let marker = page.cursor?.marker(for: plan)
            return QueryAnswer(
                runs: page.runs, marker: try marker.map { try sealed($0, for: guest, in: database) },
                token: token.map { seal.sealed($0) })
        }
    }

    /// Seals a marker. The marker of a guest is encrypted, because it contains values of the page's last
    /// record, which may have left the share since. It is valid for this guest and database only.
    private func sealed(
        _ marker: [UInt8], for guest: Guest?, in database: OpenDatabase
    ) throws -> [UInt8] {
        guard let guest else { return seal.sealed(marker, .query) }
        return try seal.encrypted(marker, for: Self.holder(guest, database))
    }

    /// Names the guest and the database for which a marker is valid; see `TokenSeal.encrypted`.
    private static func holder(_ guest: Guest, _ database: OpenDatabase) -> [UInt8] {
        Array("\(guest.person) in \(database.key.text)".utf8)
    }

    /// Verifies a marker and removes its seal. Throws `badRequest` for a marker that this installation did
    /// not seal, such as one of an earlier version; the client then begins the query again.
    private func opened(
        _ marker: [UInt8], for guest: Guest?, in database: OpenDatabase
    ) throws(RecordError) -> [UInt8] {
        let bytes =
            if let guest {
                seal.decrypted(marker, for: Self.holder(guest, database))
            } else {
                seal.opened(marker, .query)
            }
        if let bytes { return bytes }
        let isNoMarker = !QueryCursor.mayBeMarker(marker)
        throw RecordError(
            .badRequest, isNoMarker ? "Unknown sync continuation type" : "Invalid continuation format",
            culprit: "continuationMarker",
            nextStep: "begin the query again, and send the marker of the last answer unchanged"
        )
    }

    /// The encryption of the change numbers of a zone for the caller, who is a guest in it; nil for a caller
    /// who sees the real numbers: in the public and the own private database, and as the zone's owner.
    package func changeNumberCipher(
        in scope: DatabaseKind, ofOwner owner: String?, for caller: Caller
    ) -> ChangeNumberCipher? {
        guard scope == .shared, let owner, owner != caller.userRecordName else { return nil }
        return seal.changeNumberCipher(of: databases.key(owner: owner, for: caller))
    }

    /// Returns a page of a zone's changes.
    ///
    /// - Parameter bytes: how many bytes of fields the answer may still have. With 0 or less the page has no
    ///   changes, and only says whether there are any.
    package func changes(
        of zone: ZoneID, since token: ChangeToken?, limit: Int?, isReversed: Bool, bytes: Int? = nil,
        in scope: DatabaseKind, by caller: Caller
    ) async throws -> ChangesPage {
        let most = context.limits.recordsPerResponse
        let bytes = min(bytes ?? .max, context.limits.answerBytes)
        return try await databases.reading(scope, zone: zone, for: caller) { database, guest in
            let name = try databases.zoneName(zone, in: database)
            if name == ZoneID.defaultName {
                throw RecordError(
                    .badRequest, "cannot get changes in default zone", culprit: name,
                    nextStep: "keep records whose changes you follow in a zone of your own"
                )
            }
            var request = ChangesRequest(
                zone: name, since: try seal.opened(token, of: guest, culprit: name),
                limit: bytes > 0 ? min(max(limit ?? most, 1), most) : 0,
                bytes: bytes, sharedRows: context.limits.sharedRowsPerPage, isReversed: isReversed,
                client: ClientID(context.stamp(of: caller))
            )
            // With several zones in one answer, the remaining bytes differ from zone to zone.
            request.isFollowed = bytes == context.limits.answerBytes
            var page =
                if let guest {
                    try await database.records.sharedChanges(request, for: guest.person)
                } else {
                    try await database.records.changes(request)
                }
            page.token = seal.sealed(page.token)
            if let guest { page.token = try seal.hidden(page.token, from: guest.person) }
            return page
        }
    }
}

extension RecordError {
    /// The error for a record that does not exist.
    static func recordNotFound(_ name: String) -> RecordError {
        RecordError(
            .notFound, "Record not found", culprit: name,
            nextStep: "remove your copy: the record was deleted or never saved; references to it are invalid"
        )
    }
}

extension Filter {
    /// Matches the records that a person created; works whether or not the schema indexes that field.
    fileprivate static func created(by user: String) -> Filter {
        Filter(.system(.createdUserRecordName), .equals, .reference(Reference(recordName: user)))
    }
}
