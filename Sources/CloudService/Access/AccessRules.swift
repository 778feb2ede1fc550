package import Records

/// Decides about the operations of one caller on records of the types of a schema.
package struct AccessRules: Sendable {
    /// nil for the anonymous.
    package var userRecordName: String?
    /// The roles of which the caller has been made a member.
    package var memberships: Set<String>
    package var schema: Schema

    package init(userRecordName: String?, memberships: Set<String> = [], schema: Schema) {
        self.userRecordName = userRecordName
        self.memberships = memberships
        self.schema = schema
    }

    /// What the rules say of something that the caller wants to do to a record, or to records of a type
    /// whoever made them.
    package func verdict(
        _ permission: Permission, on type: String, createdBy: String? = nil, culprit: String? = nil
    ) -> AccessVerdict {
        // A type that is only about to come into being has what new types have.
        let grants = schema.types[type]?.grants ?? .standard
        return AccessVerdict(
            permission: permission, type: type, granted: grants.roles(with: permission),
            held: heldRoles(createdBy: createdBy), culprit: culprit
        )
    }

    private func heldRoles(createdBy: String?) -> [Role] {
        guard let userRecordName else { return [.world] }
        let custom = memberships.sorted { $0.precedesInBytes($1) }.map(Role.custom)
        return [.world, .icloud] + (userRecordName == createdBy ? [.creator] : []) + custom
    }

    // MARK: Writing

    /// The verdicts that an operation needs on a record as it now is: all must allow it.
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

    /// The refusal of an operation on a record as it now is; nil when it is allowed.
    package func refusal(of operation: RecordOperation, on existing: StoredRecord?) -> RecordError? {
        verdicts(of: operation, on: existing).first { !$0.isAllowed }?.refusal
    }

    // MARK: Reading

    /// Which records of a type the caller may read.
    package enum Reach: Hashable, Sendable {
        case all
        /// Those that the caller created.
        case own(String)
    }

    /// Throws the refusal when the caller may read none.
    package func reach(of type: String) throws(RecordError) -> Reach {
        if isReadByAll(type) == true || verdict(.read, on: type).isAllowed { return .all }
        let own = verdict(.read, on: type, createdBy: userRecordName, culprit: type)
        guard own.isAllowed, let userRecordName else { throw own.refusal }
        return .own(userRecordName)
    }

    /// Whether everybody may read records of a type, as nearly every type allows: decided without a list of
    /// roles. Nil for a type that does not exist.
    private func isReadByAll(_ type: String) -> Bool? {
        schema.types[type]?.grants[.world].contains(.read)
    }

    /// The refusal to show a record; nil when the caller may read it.
    package func refusal(toShow record: StoredRecord) -> RecordError? {
        if isReadByAll(record.type) ?? true { return nil }
        let verdict = verdict(
            .read, on: record.type, createdBy: record.created.by, culprit: record.id.name
        )
        return verdict.isAllowed ? nil : verdict.refusal
    }
}

extension AccessRules {
    /// Whether the caller may create records of a type, or change those that are the caller's.
    package func maySave(_ type: String) -> Bool {
        verdict(.create, on: type, createdBy: userRecordName).isAllowed
            || verdict(.write, on: type, createdBy: userRecordName).isAllowed
    }

    /// The results of saves as the caller may see them: of a record that may be written and not read, no
    /// more than the fields that the operation itself brought.
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

    /// An error as the caller may see it.
    package func shown(_ error: RecordError) -> RecordError {
        var error = error
        if let record = error.serverRecord, !mayShow(record) { error.serverRecord = nil }
        return error
    }

    private func mayShow(_ record: Record) -> Bool {
        verdict(.read, on: record.type, createdBy: record.created?.by).isAllowed
    }
}
