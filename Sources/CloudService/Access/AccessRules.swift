package import Records

/// Decides which operations one caller may perform on public records, by the grants of a schema.
package struct AccessRules: Sendable {
    /// Record name of the caller; nil for an anonymous caller.
    package var userRecordName: String?
    /// The custom roles of which the caller is a member.
    package var memberships: Set<String>
    package var schema: Schema
    /// Whether the caller is a server-to-server key, which has every permission whatever the grants.
    package var isAdministrator = false

    package init(userRecordName: String?, memberships: Set<String> = [], schema: Schema) {
        self.userRecordName = userRecordName
        self.memberships = memberships
        self.schema = schema
    }

    /// Whether the caller has a permission on a record or, without `createdBy`, on records of the type
    /// regardless of their creator.
    package func verdict(
        _ permission: Permission, on type: String, createdBy: String? = nil, culprit: String? = nil
    ) -> AccessVerdict {
        // A type that this save is about to create has the grants of a new type.
        let grants = schema.types[type]?.grants ?? .standard
        return AccessVerdict(
            permission: permission, type: type, granted: grants.roles(with: permission),
            held: heldRoles(createdBy: createdBy), isAdministrator: isAdministrator, culprit: culprit
        )
    }

    private func heldRoles(createdBy: String?) -> [Role] {
        guard let userRecordName else { return [.world] }
        let custom = memberships.sorted { $0.precedesInBytes($1) }.map(Role.custom)
        return [.world, .icloud] + (userRecordName == createdBy ? [.creator] : []) + custom
    }

    // MARK: Writing

    /// The verdicts that decide about an operation on a record in its present state. All of them must allow
    /// it.
    package func verdicts(
        of operation: RecordOperation, on existing: StoredRecord?
    ) -> [AccessVerdict] {
        let name = operation.recordName
        guard let existing else {
            if !operation.kind.mayCreate { return [] }
            let type = operation.recordType ?? ""
            let create = verdict(.create, on: type, createdBy: userRecordName, culprit: name)
            if operation.kind != .forceReplace { return [create] }
            return [create, verdict(.write, on: type, createdBy: userRecordName, culprit: name)]
        }
        let write = verdict(.write, on: existing.type, createdBy: existing.created.by, culprit: name)
        if operation.kind != .forceReplace { return [write] }
        return [write, verdict(.create, on: existing.type, createdBy: existing.created.by, culprit: name)]
    }

    /// The refusal of an operation on a record in its present state; nil when it is allowed.
    package func refusal(of operation: RecordOperation, on existing: StoredRecord?) -> RecordError? {
        verdicts(of: operation, on: existing).first { !$0.isAllowed }?.refusal
    }

    // MARK: Reading

    /// Which records of a type the caller may read.
    package enum Reach: Hashable, Sendable {
        case all
        /// Only the records that the caller, named here, created.
        case own(String)
    }

    /// The records of a type that the caller may read. Throws `accessDenied` if there can be none.
    package func reach(of type: String) throws(RecordError) -> Reach {
        if isReadByAll(type) == true || verdict(.read, on: type).isAllowed { return .all }
        let own = verdict(.read, on: type, createdBy: userRecordName, culprit: type)
        guard own.isAllowed, let userRecordName else { throw own.refusal }
        return .own(userRecordName)
    }

    /// Whether everybody may read records of a type; nil if the type does not exist. Nearly every type allows
    /// it, so this check comes first and saves building the list of roles.
    private func isReadByAll(_ type: String) -> Bool? {
        schema.types[type]?.grants[.world].contains(.read)
    }

    /// The refusal to show a record to the caller; nil when the caller may read it.
    package func refusal(toShow record: StoredRecord) -> RecordError? {
        if isReadByAll(record.type) ?? true { return nil }
        let verdict = verdict(
            .read, on: record.type, createdBy: record.created.by, culprit: record.id.name
        )
        return verdict.isAllowed ? nil : verdict.refusal
    }
}

extension AccessRules {
    /// Whether the caller may create records of a type, or change those that the caller created.
    package func maySave(_ type: String) -> Bool {
        verdict(.create, on: type, createdBy: userRecordName).isAllowed
            || verdict(.write, on: type, createdBy: userRecordName).isAllowed
    }

    /// The results of saves, reduced to the data that the caller may see. If the caller may write a record
    /// but not read it, the result contains only the fields that the operation itself set.
    package func shown(
        _ results: [ItemResult], of operations: [RecordOperation], codec: any FieldCodec
    ) throws(RecordError) -> [ItemResult] {
        var shown: [ItemResult] = []
        for (result, operation) in zip(results, operations) {
            switch result {
            case .record(var record) where refusal(toShow: record) != nil:
                let all = try codec.decode(record.fields)
                var own = Fields()
                for name in operation.fields.names { own[name] = all[name] }
                record.fields = codec.encode(own)
                shown.append(.record(record))
            case .failure(let id, let error): shown.append(.failure(id, self.shown(error)))
            default: shown.append(result)
            }
        }
        return shown
    }

    /// An error without its `serverRecord`, if the caller may not read that record.
    package func shown(_ error: RecordError) -> RecordError {
        var error = error
        if let record = error.serverRecord, !mayShow(record) { error.serverRecord = nil }
        return error
    }

    private func mayShow(_ record: Record) -> Bool {
        verdict(.read, on: record.type, createdBy: record.created?.by).isAllowed
    }
}
