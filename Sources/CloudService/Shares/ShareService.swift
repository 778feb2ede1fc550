import Directory
import RecordStore
package import Records

/// Resolves the short GUIDs of shares, and lets people accept shares.
package final class ShareService: Sendable {
    let context: ServiceContext
    let databases: DatabaseService
    let schemaCache: SchemaCache
    private let shownProofs: ShownCodeProofs
    /// The URL of the web page of apps whose container has none of its own.
    package let fallbackURL: String?

    init(
        _ context: ServiceContext, databases: DatabaseService, schemaCache: SchemaCache,
        shownProofs: ShownCodeProofs, fallbackURL: String?
    ) {
        self.context = context
        self.databases = databases
        self.schemaCache = schemaCache
        self.shownProofs = shownProofs
        self.fallbackURL = fallbackURL
    }

    /// A share, as the owner's database has it.
    struct Found {
        /// Without its fields until they are loaded.
        var share: StoredRecord
        var terms: Share
        /// nil until it is loaded, and for the share of a zone.
        var root: StoredRecord?
        var owner: String
    }

    /// Returns the share of a short GUID, with the parts that the caller may see. Throws `notFound` if no
    /// share has this short GUID, and `accessDenied` for a person who is not invited, unless the share is
    /// public.
    ///
    /// - Parameter reserve: Reserves memory for this many bytes of fields: all that were read so far. It is
    ///   called for each record that the store returns. If it throws, they are dropped, and its error is
    ///   thrown.
    package func resolve(
        _ shortGUID: String, wantsRoot: Bool, by caller: Caller,
        reserve: @Sendable (_ bytes: Int) throws(RecordError) -> Void
    ) async throws -> ShareMetadata {
        let person = try caller.requireUserRecordName()
        let (key, link) = (try self.key(of: shortGUID, for: caller), ShareLink(shortGUID))
        return try await databases.using(key) { database in
            let found = try await find(shortGUID, in: database, by: caller)
            let participant = try await self.participant(person, of: found, link, by: caller)
            return try await metadata(
                of: found, link, for: participant, wantsRoot: wantsRoot, in: database, by: caller,
                reserve: reserve)
        }
    }

    /// Makes the caller a member of a share. Has no effect if the person has accepted before. Throws as
    /// `resolve` does, `badRequest` for the owner, and `limitExceeded` for a person who takes part in
    /// `Limits.sharesPerPerson` shares. If `reserve` throws, the person has accepted nevertheless.
    package func accept(
        _ shortGUID: String, wantsRoot: Bool, by caller: Caller,
        reserve: @Sendable (_ bytes: Int) throws(RecordError) -> Void
    ) async throws -> ShareMetadata {
        let person = try caller.requireUserRecordName()
        let (key, link) = (try self.key(of: shortGUID, for: caller), ShareLink(shortGUID))
        let schema = try await schemaCache.schema(of: ContainerKey(caller))
        var found = try await databases.using(key) { try await find(shortGUID, in: $0, by: caller) }
        let participant = try await self.participant(person, of: found, link, by: caller)
        // Only a new acceptance counts. `participant` has refused a person who may not accept.
        if participant.role != .owner, participant.acceptance != .accepted {
            try await checkShares(of: person, adding: shortGUID, by: caller)
        }
        let zone = found.share.id.zone.name
        if participant.role != .owner {
            // The directory's entry and the copied subscriptions come before the commit: without them, the
            // person would not find the shared zone and would get no pushes. Without a membership, they have
            // no effect.
            try await context.directory.addSharedZone(
                zone, of: found.owner, for: person, in: caller.container, caller.environment,
                atMost: context.limits.sharedZonesPerPerson)
            try await databases.copySharedSubscriptions(to: key, by: caller)
        }
        return try await databases.using(key) { database in
            let account = try await context.directory.account(
                withUserRecordName: person, in: caller.container)
            let acceptance = ShareChange.accept(
                person: person, addresses: try await addresses(of: account),
                id: participant.id,
                name: Participant.Name(given: account?.givenName, family: account?.familyName))
            // The change tag makes the operation fail if the share has ended meanwhile.
            let operation = RecordOperation(
                .forceUpdate, recordName: found.share.id.name, recordType: Share.recordType,
                changeTag: found.share.changeTag, share: acceptance)
            var batch = WriteBatch(
                zone: zone, operations: [operation], stamp: context.stamp(of: caller), schema: schema,
                limits: context.limits)
            batch.owner = found.owner
            for result in try await database.records.commit(batch) {
                if case .failure(_, let error) = result { throw error }
            }
            found = try await find(shortGUID, in: database, by: caller)
            let joined = found.terms.participant(person) ?? participant
            return try await metadata(
                of: found, link, for: joined, wantsRoot: wantsRoot, in: database, by: caller,
                reserve: reserve)
        }
    }

    /// Throws `limitExceeded` if the person takes part in as many shares as a person may.
    private func checkShares(
        of person: String, adding shortGUID: String, by caller: Caller
    ) async throws {
        let (own, now) = (databases.key(owner: person, for: caller), context.runtime.now())
        switch databases.shareCounts.admit(own, at: now) {
        case .admitted: return
        case .refused: throw tooManyShares(shortGUID)
        case .unknown: break
        }
        var count = 0
        for key in try await databases.sharingKeys(for: caller) {
            count += try await databases.attempt(key, for: caller) { database in
                try await database.records.memberships(of: person).count { $0.left == nil }
            } failed: { _ in
                0
            }
            if count < context.limits.sharesPerPerson { continue }
            databases.shareCounts.note(count, of: own, at: now)
            throw tooManyShares(shortGUID)
        }
        databases.shareCounts.note(count + 1, of: own, at: now)
    }

    private func tooManyShares(_ shortGUID: String) -> RecordError {
        RecordError(
            .limitExceeded,
            "a person takes part in at most \(context.limits.sharesPerPerson) shares of others",
            culprit: String(shortGUID.prefix(60)),
            nextStep: "leave a share first, by deleting its record in the shared database")
    }

    // MARK: Finding a share

    func key(of shortGUID: String, for caller: Caller) throws(RecordError) -> DatabaseKey {
        guard let owner = ShortGUID.owner(of: ShareLink(shortGUID).shortGUID) else {
            throw Self.noShare(shortGUID)
        }
        let key = databases.key(owner: owner, for: caller)
        if context.provider.exists(key) { return key }
        throw Self.noShare(shortGUID)
    }

    /// Finds a share. Reads the fields of neither the share nor its root: they can be large, and not every
    /// caller may see them.
    func find(
        _ shortGUID: String, in database: OpenDatabase, by caller: Caller
    ) async throws -> Found {
        try await databases.slowWork.reading(for: caller.workPayer) {
            guard let owner = database.key.owner,
                let id = try await database.records.record(ofShortGUID: ShareLink(shortGUID).shortGUID)
            else { throw Self.noShare(shortGUID) }
            let zone = id.zone.name
            var name = id.name
            if name != Share.zoneWideName {
                let root = try await database.records.heads(named: [name], in: zone)[0]
                guard let shareName = root?.sharing?.shareName else { throw Self.noShare(shortGUID) }
                name = shareName
            }
            guard let share = try await database.records.heads(named: [name], in: zone)[0],
                let terms = share.sharing?.terms
            else { throw Self.noShare(shortGUID) }
            return Found(share: share, terms: terms, owner: owner)
        }
    }

    /// Reads a share that was found with its fields, and its root if that is wanted. The terms may have
    /// changed since the share was found. Throws `notFound` if the share has ended, and the errors of
    /// `reserve`; see `resolve`.
    func loaded(
        _ found: Found, _ link: ShareLink, wantsRoot: Bool = false, in database: OpenDatabase,
        by caller: Caller, reserve: @Sendable (_ bytes: Int) throws(RecordError) -> Void
    ) async throws -> Found {
        let (zone, root) = (found.share.id.zone.name, wantsRoot ? found.terms.root : nil)
        let names = [found.share.id.name] + [root].compactMap(\.self)
        let records = try await databases.slowWork.reading(for: caller.workPayer) {
            var read: [StoredRecord?] = []
            var bytes = 0
            _ = try await database.records.lookup(names, in: zone, wantsToken: false) { record in
                // Many requests may wait at once after this read, so the fields must be counted before.
                bytes += record?.answerBytes(.shared) ?? 0
                try reserve(bytes)
                read.append(record)
            }
            return read
        }
        // Another share may have the name of one that has ended.
        guard let share = records[0], let terms = share.sharing?.terms,
            terms.shortGUID == found.terms.shortGUID
        else { throw Self.noShare(link.text) }
        return Found(
            share: share, terms: terms, root: root == nil ? nil : records[1], owner: found.owner)
    }

    static func noShare(_ shortGUID: String) -> RecordError {
        RecordError(
            .notFound, "there is no share with this short GUID", culprit: String(shortGUID.prefix(60)),
            nextStep:
                "check the link and the environment, or ask the owner whether the record is still shared"
        )
    }

    // MARK: The caller's part

    /// The participant that the person is, or would become by accepting. To a blocked person, the share is
    /// missing.
    func participant(
        _ person: String, of found: Found, _ link: ShareLink, by caller: Caller
    ) async throws -> Participant {
        if found.terms.isBlocked(person) { throw Self.noShare(link.text) }
        if let known = found.terms.participant(person) { return known }
        let addresses = try await addresses(
            of: try await context.directory.account(withUserRecordName: person, in: caller.container))
        if let place = ShareRules.invitation(to: addresses, oneTime: link.participant, in: found.terms) {
            var invited = found.terms.participants[place]
            invited.person = person
            return invited
        }
        if found.terms.publicPermission != .none {
            return Participant(
                id: context.runtime.randomUUID(), person: person, role: .publicUser,
                permission: found.terms.publicPermission)
        }
        if found.terms.participants.contains(where: { $0.person == nil && $0.address != nil }) {
            throw RecordError(
                .participantMayNeedVerification,
                "you are not invited to this share, or your invitation names an address that your account "
                    + "does not have",
                culprit: found.share.id.name,
                nextStep: "open the share's link in a browser, and prove that the address is yours")
        }
        throw RecordError(
            .accessDenied, "only invited people can accept this share", culprit: found.share.id.name,
            nextStep: found.terms.allowsRequests
                ? "ask the owner for access with records/requestAccess"
                : "ask the owner for an invitation to your address")
    }

    /// The addresses of a person's account, and those that the person has proved to own.
    private func addresses(of account: Account?) async throws -> Set<ContactAddress> {
        guard let account else { return [] }
        var addresses = shownProofs.addresses(of: account.id)
        addresses.formUnion(try await context.directory.linkedAddresses(of: account.id))
        if let email = account.email { addresses.insert(.email(email)) }
        if let phone = account.phone { addresses.insert(.phone(phone)) }
        return addresses
    }

    private func metadata(
        of found: Found, _ link: ShareLink, for participant: Participant, wantsRoot: Bool,
        in database: OpenDatabase, by caller: Caller,
        reserve: @Sendable (_ bytes: Int) throws(RecordError) -> Void
    ) async throws -> ShareMetadata {
        let loaded = try await self.loaded(
            found, link, wantsRoot: wantsRoot && participant.mayRead, in: database, by: caller,
            reserve: reserve)
        var participant = participant
        // The person's part depends on the terms at the moment when the fields were read.
        if loaded.terms != found.terms {
            let person = try caller.requireUserRecordName()
            participant = try await self.participant(person, of: loaded, link, by: caller)
        }
        let owner = try await context.directory.account(
            withUserRecordName: loaded.owner, in: caller.container)
        var share = loaded.share
        let root = participant.mayRead ? loaded.root : nil
        if participant.acceptance != .accepted || !participant.mayRead {
            // A person who has not accepted, or may not read, does not learn who else takes part, asks for
            // access or is blocked.
            var terms = loaded.terms
            terms.participants = terms.participants.filter { $0.role == .owner } + [participant]
            (terms.requesters, terms.blocked) = ([], [])
            share.sharing = .share(terms)
            // The zone's key is only needed to decrypt the values of the root.
            if root == nil {
                share.fields = try await working(on: loaded.share, for: caller) {
                    try withoutZoneKey(loaded.share.fields)
                }
            }
        }
        return ShareMetadata(
            zone: ZoneID(name: share.id.zone.name, owner: loaded.owner), share: share,
            root: root, owner: loaded.owner,
            ownerGivenName: owner?.givenName, ownerFamilyName: owner?.familyName, participant: participant)
    }

    /// Runs work that decodes the fields of a share: on this thread, or on another one if they are large.
    func working<Result>(
        on share: StoredRecord, for caller: Caller, _ work: () throws -> Result
    ) async throws -> Result {
        try await databases.slowWork.computing(
            onBytes: share.fields.bytes.count, for: caller.workPayer, work)
    }

    /// The fields of a share without the key for the encrypted values of its zone.
    private func withoutZoneKey(_ fields: FieldBytes) throws(RecordError) -> FieldBytes {
        var decoded = try context.codec.decode(fields)
        if decoded[Share.zoneKeyField] == nil { return fields }
        decoded[Share.zoneKeyField] = nil
        return context.codec.encode(decoded)
    }
}

extension Participant {
    /// Whether the participant may read the records of the share.
    fileprivate var mayRead: Bool { role == .owner || permission != .none }
}
