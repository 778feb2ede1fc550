import AssetStore
import RecordStore
package import Records

extension RecordService {
    /// Applies a batch and returns one result for each operation, in order.
    ///
    /// Throws the errors that concern the whole batch; an error that concerns one record is the result of its
    /// operation. If an anonymous caller's batch changed nothing and signing in may help, throws
    /// `authenticationRequired`.
    ///
    /// - Parameter reserve: Reserves memory for an answer with this many bytes of fields. If it throws,
    ///   nothing is changed.
    package func modify(
        _ request: ModifyRequest, wantsToken: Bool = false, in scope: DatabaseKind, by caller: Caller,
        reserve: @escaping @Sendable (_ bytes: Int) throws(RecordError) -> Void
    ) async throws -> ItemsAnswer {
        var request = request
        // The shared database has no default zone.
        if scope == .shared { request.zone = request.zone ?? request.operations.first?.zone }
        if let cipher = changeNumberCipher(in: scope, ofOwner: request.zone?.owner, for: caller) {
            for index in request.operations.indices {
                let tag = request.operations[index].changeTag
                request.operations[index].changeTag = tag.map { cipher.decrypted($0) }
            }
        }
        let batch = request
        return try await databases.using(scope, zone: batch.zone, for: caller) { database, guest in
            var answer = try await modify(
                batch, wantsToken && guest == nil, in: database, by: caller, guest, reserve)
            if caller.userRecordName == nil, let refusal = answer.signInRefusal { throw refusal }
            answer.token = answer.token.map { seal.sealed($0) }
            return answer
        }
    }

    /// The warning for the answer to a change when the database is nearly full; otherwise nil.
    ///
    /// - Parameter owner: for a change in the shared database, the owner of the changed zone.
    package func quotaWarning(
        in scope: DatabaseKind, ofOwner owner: String? = nil, by caller: Caller
    ) async throws -> QuotaWarning? {
        guard context.limits.quota != nil else { return nil }
        if scope == .shared, let owner {
            return try await databases.using(databases.key(owner: owner, for: caller)) { database in
                try await quotas.warning(for: database, scope: scope)
            }
        }
        return try await databases.using(scope, for: caller) { database in
            try await quotas.warning(for: database, scope: scope)
        }
    }

    private func modify(
        _ request: ModifyRequest, _ wantsToken: Bool, in database: OpenDatabase, by caller: Caller,
        _ guest: Guest?, _ reserve: @escaping WriteBatch.Reservation
    ) async throws -> ItemsAnswer {
        // A person with a restricted account gets this error instead of the one for anonymous callers.
        if let obstacle = caller.obstacle { throw obstacle }
        try RecordError.check(request.clientChange, context.limits)
        let zone = try databases.zoneName(request.zone, in: database)
        let operations = try OperationRules(limits: context.limits).checked(
            request.operations, in: zone, of: database.key.owner
        ) { context.runtime.randomUUID() }
        var draft = ModifyDraft(
            operations: operations, zone: zone, longestName: context.limits.nameCharacters)
        draft.isAtomic = request.isAtomic && zone != ZoneID.defaultName
        draft.clientChange = zone == ZoneID.defaultName ? nil : request.clientChange
        draft.wantsToken = wantsToken
        draft.followed = rateLimiter.followedRecords(by: caller)
        prepareShares(of: &draft, in: database, for: guest)
        if wantsToken {
            draft.token = try await database.records.lookup([], in: zone, wantsToken: true) { _ in }
        }
        try await makeUserRecords(of: draft, in: database, for: caller)
        try await findTypes(for: &draft, in: database, by: caller, guest)
        let rules = database.key.owner == nil ? try await schemaCache.access(for: caller) : nil
        let schema = try await fitToSchema(&draft, for: caller, rules, in: database, guest)
        let uploads = try await assets.adopt(&draft, in: database, by: caller)
        let answer: ItemsAnswer
        do {
            answer = try await commit(draft, schema, database, caller, rules, guest, reserve)
        } catch {
            await assets.finish(uploads, [], in: database)
            throw error
        }
        await assets.finish(uploads, answer.results, in: database)
        // The save is committed, so an error here is ignored. The files are deleted after a later save.
        if draft.mayReleaseAssets(schema) || database.assets.isCollectionDue {
            try? await assets.collectReleased(in: database)
        }
        return answer
    }

    private func commit(
        _ draft: ModifyDraft, _ schema: Schema, _ database: OpenDatabase, _ caller: Caller,
        _ rules: AccessRules?, _ guest: Guest?, _ reserve: @escaping WriteBatch.Reservation
    ) async throws -> ItemsAnswer {
        let refusedBytes = draft.refusedBytes
        try reserve(refusedBytes)
        if draft.isRefused { return ItemsAnswer(results: draft.results(of: []), token: draft.token) }
        let (unproven, kept) = (draft.unprovenAssets, draft.keptAssets)
        let codec = context.codec
        var batch = WriteBatch(
            zone: draft.zone, operations: draft.accepted, isAtomic: draft.isAtomic,
            stamp: context.stamp(of: caller), schema: schema, limits: context.limits,
            quota: try await quotas.quota(for: database, by: caller)
        ) { operation, existing in
            if let refusal = UserRecordRules.refusal(of: operation, on: existing) { return refusal }
            if let refusal = rules?.refusal(of: operation, on: existing) { return refusal }
            guard let name = operation.recordName, let unproven = unproven[name] else { return nil }
            // A file that the record has owned only since the look-up is refused: its size is not known.
            let owned = existing?.fields.assetChecksums.intersection(kept[name] ?? []) ?? []
            return unproven.subtracting(owned).min().map(RecordError.badReceipt)
        }
        batch.participant = guest?.person
        batch.owner = database.key.owner
        batch.followed = draft.followed
        batch.clientChange = draft.acceptedClientChange
        batch.reserve = { bytes throws(RecordError) in try reserve(refusedBytes + bytes) }
        if database.key.owner == nil {
            if batch.operations.contains(where: \.mayAffectRecordsOfOthers) {
                let place = ContainerKey(caller)
                batch.mayWrite = try await schemaCache.ownership(
                    in: place, administrators: try await credentials.administrators(of: place))
            }
            // A subscription that is created between this check and the commit takes effect with the next
            // commit.
            batch.mayNotify = { _, _ in false }
            // Another node may have created the first subscription.
            if database.records.hasSubscriptions || context.provider.isNode {
                batch.mayNotify = try await schemaCache.audience(in: ContainerKey(caller))
            }
        }
        faults?.injectFaults(into: &batch, codec: codec)
        // The error of an operation that was refused earlier shows the record as it was then. So the answer
        // has the token from before the checks.
        batch.wantsToken = draft.wantsToken && !draft.hasRefusals
        let answer = try await database.records.apply(batch)
        if let guest, batch.operations.contains(where: { $0.kind.isDelete }) {
            databases.shareCounts.forget(databases.key(owner: guest.person, for: caller))
        }
        usageLog.add(batch.operations, answer.results, by: caller)
        let shown = try rules?.shown(answer.results, of: batch.operations, codec: codec) ?? answer.results
        return ItemsAnswer(
            results: draft.results(of: shown), token: batch.wantsToken ? answer.token : draft.token)
    }

    /// Sets the type of operations that name none to the type of the stored record.
    private func findTypes(
        for draft: inout ModifyDraft, in database: OpenDatabase, by caller: Caller, _ guest: Guest?
    ) async throws {
        let (names, zone) = (draft.untypedNames, draft.zone)
        if names.isEmpty { return }
        let heads = try await databases.slowWork.reading(for: caller.workPayer) {
            try await self.heads(named: names, in: zone, of: database, for: guest)
        }
        draft.setTypes(Dictionary(uniqueKeysWithValues: zip(names, heads.map { $0?.type })))
    }

    /// The records without their fields; nil for a record that is missing or that the guest may not see.
    private func heads(
        named names: [String], in zone: String, of database: OpenDatabase, for guest: Guest?
    ) async throws -> [StoredRecord?] {
        let heads = try await database.records.heads(named: names, in: zone)
        guard let visible = try await databases.visible(names, in: zone, of: database, to: guest) else {
            return heads
        }
        return zip(names, heads).map { visible.contains($0) ? $1 : nil }
    }

    private func fitToSchema(
        _ draft: inout ModifyDraft, for caller: Caller, _ rules: AccessRules?, in database: OpenDatabase,
        _ guest: Guest?
    ) async throws -> Schema {
        let place = ContainerKey(caller)
        let schema = try await schemaCache.schema(of: place)
        try await refuseGrowth(of: schema, &draft, for: caller, rules, in: database, guest)
        func fit() -> SchemaGrowth {
            var growth = SchemaGrowth(
                schema: schema, mayGrow: caller.environment == .development,
                isPublic: database.key.owner == nil, limits: context.limits
            )
            draft.fit { fields, type throws(RecordError) in
                // A caller who may save no record of the type learns nothing about its fields; the store
                // refuses the save.
                if let rules, !rules.maySave(type) { return fields }
                return try growth.admit(fields, type: type)
            }
            return growth
        }
        var growth = fit()
        if guest != nil, !growth.grown.isEmpty, !draft.isRefused {
            // The commit refuses a guest for reasons that only the store knows, such as a missing reference.
            try await refuse(&draft, asOnTrialWith: growth, schema, for: caller, in: database, guest)
            growth = fit()
        }
        // A batch that is refused as a whole adds nothing.
        if growth.grown.isEmpty || draft.isRefused { return schema }
        // The database is prepared first: fields that it cannot hold must not get into the schema, which all
        // databases share. If the server ends in between, the database drops the unused columns when it is
        // next opened.
        try await database.records.prepare(growth.grownTypes)
        return try await schemaCache.add(growth, to: place)
    }

    /// Refuses the operations that fail when the batch is tried with the present schema.
    private func refuse(
        _ draft: inout ModifyDraft, asOnTrialWith growth: SchemaGrowth, _ schema: Schema,
        for caller: Caller, in database: OpenDatabase, _ guest: Guest?
    ) async throws {
        var known = schema
        for type in growth.grownTypes where known.types[type.name] == nil {
            known.types[type.name] = TypeSchema(name: type.name)
        }
        var batch = WriteBatch(
            zone: draft.zone, operations: draft.accepted, isAtomic: draft.isAtomic,
            stamp: context.stamp(of: caller), schema: known, limits: context.limits,
            quota: try await quotas.quota(for: database, by: caller))
        batch.isTrial = true
        batch.followed = draft.followed
        batch.participant = guest?.person
        batch.owner = database.key.owner
        for case .failure(let id, let error) in try await database.records.apply(batch).results
        where error.code != .atomicFailure {
            draft.refuse(id.name, with: error)
        }
    }

    /// Refuses the saves that would add to the schema although the commit would refuse them.
    private func refuseGrowth(
        of schema: Schema, _ draft: inout ModifyDraft, for caller: Caller, _ rules: AccessRules?,
        in database: OpenDatabase, _ guest: Guest?
    ) async throws {
        let growing = draft.operationsGrowing(schema)
        if growing.isEmpty { return }
        // A deletion in the same batch may remove the record because of which a save would be refused.
        let checksPreconditions =
            caller.environment == .development && !draft.accepted.contains(where: \.kind.isDelete)
        let (zone, all) = (draft.zone, draft.accepted)
        let refused = try await databases.slowWork.reading(for: caller.workPayer) {
            let refusals = try await refusals(
                ofGrowing: growing, in: zone, of: database, rules, guest,
                checksPreconditions: checksPreconditions)
            guard let guest else { return refusals }
            // These errors come last and replace the others: without a permission, a guest learns nothing
            // else.
            return try await refusals + self.refusals(of: all, to: guest, in: zone, of: database)
        }
        for (name, error) in refused { draft.refuse(name, with: error) }
    }

    /// The errors of the saves that the commit would refuse, by record name.
    ///
    /// - Parameter checksPreconditions: whether to check preconditions, such as change tags, too: in
    ///   development, unless a deletion in the batch could remove a record before its save.
    private func refusals(
        ofGrowing operations: [RecordOperation], in zone: String, of database: OpenDatabase,
        _ rules: AccessRules?, _ guest: Guest?, checksPreconditions: Bool
    ) async throws -> [(name: String, error: RecordError)] {
        var refusals: [(name: String, error: RecordError)] = []
        var conflictBytes = 0
        let names = operations.map { $0.recordName ?? "" }
        let heads = try await self.heads(named: names, in: zone, of: database, for: guest)
        for (index, operation) in operations.enumerated() {
            let (name, head) = (names[index], heads[index])
            if let refusal = UserRecordRules.refusal(of: operation, on: head)
                ?? rules?.refusal(of: operation, on: head)
            {
                refusals.append((name, refusal))
                continue
            }
            if !checksPreconditions { continue }
            let id = RecordID(name: name, zone: ZoneID(name: zone))
            do {
                try Precondition(operation: operation, id: id).check(head, nil)
            } catch {
                var refusal = error
                // Only a conflict shows the record, so no other record is read with its fields.
                if refusal.code == .conflict, conflictBytes <= context.limits.answerBytes {
                    let record = try await database.records.records(named: [name], in: zone)[0]
                    let bytes = record?.fields.bytes.count ?? 0
                    conflictBytes += bytes
                    if let record, conflictBytes <= context.limits.answerBytes {
                        try ReadBudget.spend(decoding: bytes)
                        refusal.serverRecord = try? record.decoded(by: context.codec)
                    }
                }
                refusals.append((name, rules?.shown(refusal) ?? refusal))
            }
        }
        return refusals
    }
}

extension ItemsAnswer {
    /// The first `authenticationRequired` error; nil if there is none, or if an item succeeded.
    fileprivate var signInRefusal: RecordError? {
        var refusal: RecordError?
        for result in results {
            guard case .failure(_, let error) = result else { return nil }
            if refusal == nil, error.code == .authenticationRequired { refusal = error }
        }
        return refusal
    }
}

extension RecordOperation {
    /// Whether the operation has references, may delete other records or shares one, so that write permission
    /// on records of other people matters.
    fileprivate var mayAffectRecordsOfOthers: Bool {
        if kind.isDelete || share != nil { return true }
        if case .set = parent { return true }
        return fields.values.contains { $0.value.type.element == .reference }
    }
}

extension RecordError {
    /// The error for a file that was not uploaded for the field in which it is saved.
    static func badReceipt(_ culprit: String) -> RecordError {
        RecordError(
            .badRequest, "bad upload receipt (did_not_validate)", culprit: culprit,
            nextStep:
                "upload the file again and use the receipt at once, for the record type and field it was for"
        )
    }
}
