// Owns saving and deleting records.

import RecordStore
package import Records

/// A batch of operations as a caller sends it (web services sheet 1.7).
package struct ModifyRequest: Sendable {
    package var operations: [RecordOperation]
    package var zone: ZoneID?
    package var isAtomic: Bool

    package init(_ operations: [RecordOperation], zone: ZoneID? = nil, isAtomic: Bool = true) {
        self.operations = operations
        self.zone = zone
        self.isAtomic = isAtomic
    }
}

extension CloudService {
    /// Applies a batch; one result for each operation, in order.
    ///
    /// Throws what concerns the batch as a whole; what concerns one record is its result.
    package func modify(
        _ request: ModifyRequest, in scope: DatabaseKind, by caller: Caller
    ) async throws -> [ItemResult] {
        try await using(scope, for: caller) { try await modify(request, in: $0, by: caller) }
    }

    private func modify(
        _ request: ModifyRequest, in database: OpenDatabase, by caller: Caller
    ) async throws -> [ItemResult] {
        // Whose account is in trouble hears of that, and not that strangers may not write.
        if let obstacle = caller.obstacle { throw obstacle }
        let zone = try zoneName(request.zone, in: database)
        let operations = try OperationRules(limits: limits).checked(request.operations, in: zone) {
            seams.randomUUID()
        }
        var draft = ModifyDraft(operations: operations, zone: zone)
        draft.isAtomic = request.isAtomic && zone != ZoneID.defaultName
        try await findTypes(for: &draft, in: database)
        let isPublic = database.key.owner == nil
        let schema = try await fitToSchema(&draft, for: caller, isPublic: isPublic)
        let uploads = await adoptUploads(&draft, in: database)
        let results: [ItemResult]
        do {
            results = try await commit(draft, schema, database, caller)
        } catch {
            settle(uploads, [], in: database)
            throw error
        }
        settle(uploads, results, in: database)
        // The save stands whatever comes of this; what is left is collected after the next save.
        if draft.mayReleaseAssets(schema) { try? await collectReleasedAssets(in: database) }
        return results
    }

    private func commit(
        _ draft: ModifyDraft, _ schema: Schema, _ database: OpenDatabase, _ caller: Caller
    ) async throws -> [ItemResult] {
        if draft.isHopeless { return draft.results(of: []) }
        let stamp = Stamp(at: seams.now(), by: caller.userRecordName ?? "_world", device: caller.device)
        let rules = AccessRules(userRecordName: caller.userRecordName, schema: schema)
        let isPublic = database.key.owner == nil
        let unproven = draft.unprovenAssets
        let full = faults.strikes([.quotaFull], on: caller.call).first?.kind.error(afterSeconds: 0)
        let batch = WriteBatch(
            zone: draft.zone, operations: draft.accepted, isAtomic: draft.isAtomic, stamp: stamp,
            schema: schema,
            limits: limits
        ) { operation, existing in
            if isPublic, let refusal = rules.refusal(of: operation, on: existing) { return refusal }
            if let full, !operation.kind.isDelete { return full }
            let owned = existing?.fields.assetChecksums ?? []
            let stolen = unproven[operation.recordName ?? ""]?.subtracting(owned) ?? []
            return stolen.isEmpty ? nil : RecordError.badReceipt(stolen.sorted()[0])
        }
        return draft.results(of: try await database.records.commit(batch))
    }

    /// Operations that name no type get that of the record they change.
    private func findTypes(for draft: inout ModifyDraft, in database: OpenDatabase) async throws {
        let names = draft.untypedNames
        if names.isEmpty { return }
        let records = try await database.records.records(named: names, in: draft.zone)
        draft.setTypes(Dictionary(uniqueKeysWithValues: zip(names, records.map { $0?.type })))
    }

    private func fitToSchema(
        _ draft: inout ModifyDraft, for caller: Caller, isPublic: Bool
    ) async throws -> Schema {
        let place = SchemaKeeper.Place(container: caller.container, environment: caller.environment)
        let schema = try await schemas.schema(of: place)
        var growth = SchemaGrowth(
            schema: schema, mayGrow: caller.environment == .development, isPublic: isPublic, limits: limits
        )
        draft.fit { fields, type throws(RecordError) in try growth.admit(fields, type: type) }
        if growth.grown.isEmpty { return schema }
        // An anonymous caller, who may create nothing, must not shape the schema either.
        if isPublic, caller.userRecordName == nil { return schema }
        return try await schemas.add(growth, to: place)
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
