import AssetStore
import RecordStore
package import Records

extension RecordService {
    /// Applies a batch; one result for each operation, in order.
    ///
    /// Throws what concerns the batch as a whole; what concerns one record is its result. Of the anonymous, a
    /// batch of which nothing was done throws `authenticationRequired` if signing in may help.
    package func modify(
        _ request: ModifyRequest, wantsToken: Bool = false, in scope: DatabaseKind, by caller: Caller
    ) async throws -> ItemsAnswer {
        try await databases.using(scope, for: caller) { database in
            var answer = try await modify(request, wantsToken, in: database, by: caller)
            if caller.userRecordName == nil, let refusal = answer.signInRefusal { throw refusal }
            answer.token = answer.token.map { seal.sealed($0) }
            return answer
        }
    }

    /// The warning that goes with the answer to a change when the database is nearly full; else nil.
    package func quotaWarning(in scope: DatabaseKind, by caller: Caller) async throws -> QuotaWarning? {
        guard context.limits.quota != nil else { return nil }
        return try await databases.using(scope, for: caller) { database in
            try await quotas.warning(for: database, scope: scope)
        }
    }

    private func modify(
        _ request: ModifyRequest, _ wantsToken: Bool, in database: OpenDatabase, by caller: Caller
    ) async throws -> ItemsAnswer {
        // Whose account is in trouble hears of that, and not that strangers may not write.
        if let obstacle = caller.obstacle { throw obstacle }
        try RecordError.check(request.name, context.limits)
        let zone = try databases.zoneName(request.zone, in: database)
        let operations = try OperationRules(limits: context.limits).checked(request.operations, in: zone) {
            context.runtime.randomUUID()
        }
        var draft = ModifyDraft(
            operations: operations, zone: zone, longestName: context.limits.nameCharacters)
        draft.isAtomic = request.isAtomic && zone != ZoneID.defaultName
        draft.name = zone == ZoneID.defaultName ? nil : request.name
        draft.wantsToken = wantsToken
        if wantsToken {
            draft.token = try await database.records.lookup([], in: zone, wantsToken: true) { _ in }
        }
        try await makeUserRecords(of: draft, in: database, for: caller)
        try await findTypes(for: &draft, in: database)
        let rules = database.key.owner == nil ? try await schemaCache.access(for: caller) : nil
        let schema = try await fitToSchema(&draft, for: caller, rules, in: database)
        let uploads = await assets.adopt(&draft, in: database)
        let answer: ItemsAnswer
        do {
            answer = try await commit(draft, schema, database, caller, rules)
        } catch {
            assets.finish(uploads, [], in: database)
            throw error
        }
        assets.finish(uploads, answer.results, in: database)
        // The save stands whatever comes of this; what is left is collected after the next save.
        if draft.mayReleaseAssets(schema) || database.assets.isCollectionDue {
            try? await assets.collectReleased(in: database)
        }
        return answer
    }

    private func commit(
        _ draft: ModifyDraft, _ schema: Schema, _ database: OpenDatabase, _ caller: Caller,
        _ rules: AccessRules?
    ) async throws -> ItemsAnswer {
        if draft.isHopeless { return ItemsAnswer(results: draft.results(of: []), token: draft.token) }
        let unproven = draft.unprovenAssets
        let codec = context.codec
        var batch = WriteBatch(
            zone: draft.zone, operations: draft.accepted, isAtomic: draft.isAtomic,
            stamp: context.stamp(of: caller), schema: schema, limits: context.limits,
            quota: try await quotas.quota(for: database)
        ) { operation, existing in
            if let refusal = UserRecordRules.refusal(of: operation, on: existing) { return refusal }
            if let refusal = rules?.refusal(of: operation, on: existing) { return refusal }
            let owned = existing?.fields.assetChecksums ?? []
            let stolen = unproven[operation.recordName ?? ""]?.subtracting(owned) ?? []
            return stolen.isEmpty ? nil : RecordError.badReceipt(stolen.sorted()[0])
        }
        batch.name = draft.nameOfAccepted
        if database.key.owner == nil {
            if batch.operations.contains(where: \.mayMeetStrangers) {
                batch.mayWrite = try await schemaCache.ownership(in: SchemaCache.Place(caller))
            }
            // Whoever subscribes between this and the commit is told from the next one on.
            batch.mayBeTold = { _, _ in false }
            if database.records.hasSubscriptions {
                batch.mayBeTold = try await schemaCache.audience(in: SchemaCache.Place(caller))
            }
        }
        faults?.spoil(&batch, codec: codec)
        // What was refused before shows records as they were then: the token must not be younger.
        batch.wantsToken = draft.wantsToken && !draft.hasRefusals
        let answer = try await database.records.apply(batch)
        usageLog.note(batch.operations, answer.results, by: caller)
        let shown = try rules?.shown(answer.results, of: batch.operations, codec: codec) ?? answer.results
        return ItemsAnswer(
            results: draft.results(of: shown), token: batch.wantsToken ? answer.token : draft.token)
    }

    /// Operations that name no type get that of the record they change.
    private func findTypes(for draft: inout ModifyDraft, in database: OpenDatabase) async throws {
        let names = draft.untypedNames
        if names.isEmpty { return }
        let records = try await database.records.records(named: names, in: draft.zone)
        draft.setTypes(Dictionary(uniqueKeysWithValues: zip(names, records.map { $0?.type })))
    }

    private func fitToSchema(
        _ draft: inout ModifyDraft, for caller: Caller, _ rules: AccessRules?, in database: OpenDatabase
    ) async throws -> Schema {
        let place = SchemaCache.Place(caller)
        let schema = try await schemaCache.schema(of: place)
        try await refuseShaping(of: schema, &draft, for: caller, rules, in: database)
        var growth = SchemaGrowth(
            schema: schema, mayGrow: caller.environment == .development,
            isPublic: database.key.owner == nil, limits: context.limits
        )
        draft.fit { fields, type throws(RecordError) in
            // Who may save nothing of a type hears nothing of its fields; the store is told to refuse.
            if let rules, !rules.maySave(type) { return fields }
            return try growth.admit(fields, type: type)
        }
        if growth.grown.isEmpty { return schema }
        // The database first: what it cannot hold must not get into the schema, which all databases share. If
        // the server ends in between, it has columns that nobody uses, and gives them up when it is opened.
        try await database.records.prepare(growth.grownTypes)
        return try await schemaCache.add(growth, to: place)
    }

    /// What will not be saved must not shape the schema either.
    private func refuseShaping(
        of schema: Schema, _ draft: inout ModifyDraft, for caller: Caller, _ rules: AccessRules?,
        in database: OpenDatabase
    ) async throws {
        let shaping = draft.operationsShaping(schema)
        if shaping.isEmpty { return }
        // A deletion of the same batch may take a record out of the way.
        let areFinal = caller.environment == .development && !draft.accepted.contains(where: \.kind.isDelete)
        var answerBytes = 0
        // A few at a time: a record may be large, and is looked at only.
        for start in stride(from: 0, to: shaping.count, by: 16) {
            let part = shaping[start..<min(start + 16, shaping.count)]
            let records = try await database.records.records(
                named: part.map { $0.recordName ?? "" }, in: draft.zone
            )
            for (operation, record) in zip(part, records) {
                let name = operation.recordName ?? ""
                if let refusal = UserRecordRules.refusal(of: operation, on: record)
                    ?? rules?.refusal(of: operation, on: record)
                {
                    draft.refuse(name, with: refusal)
                } else if areFinal {
                    let id = RecordID(name: name, zone: ZoneID(name: draft.zone))
                    answerBytes += record?.fields.bytes.count ?? 0
                    let hasRoom = answerBytes <= context.limits.requestBytes
                    do {
                        try Precondition(operation: operation, id: id).check(
                            record, hasRoom ? context.codec : nil)
                    } catch {
                        draft.refuse(name, with: rules?.shown(error) ?? error)
                    }
                }
            }
        }
    }
}

extension ItemsAnswer {
    /// The first refusal for want of a person; nil if there is none, or if some item succeeded.
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
    /// Whether it refers to records, or may take others along: then it matters whose they are.
    fileprivate var mayMeetStrangers: Bool {
        if kind.isDelete { return true }
        if case .set = parent { return true }
        return fields.values.contains { $0.value.type.element == .reference }
    }
}

extension RecordError {
    /// The error for a file that was not uploaded for the field it is put into.
    static func badReceipt(_ culprit: String) -> RecordError {
        RecordError(
            .badRequest, "bad upload receipt (did_not_validate)", culprit: culprit,
            nextStep:
                "upload the file again and use the receipt at once, for the record type and field it was for"
        )
    }
}
