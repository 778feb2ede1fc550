package import Records

/// Checks the shape of a batch: the number of operations, names, and that each record occurs once.
package struct OperationRules: Sendable {
    package var limits: Limits

    package init(limits: Limits) {
        self.limits = limits
    }

    /// Returns the operations, each with a record name or an error. Throws the errors that concern the whole
    /// batch.
    ///
    /// - Parameters:
    ///   - zone: the zone of the request.
    ///   - owner: the owner of that zone; nil in the public database.
    package func checked(
        _ operations: [RecordOperation], in zone: String, of owner: String?, makeName: () -> String
    ) throws(RecordError) -> [(operation: RecordOperation, error: RecordError?)] {
        try RecordError.check(
            operations.count, atMost: limits.operationsPerRequest, "operations",
            next: "split the batch in half and send both"
        )
        var seen: Set<String> = []
        var result: [(RecordOperation, RecordError?)] = []
        for operation in operations {
            var named = operation
            if named.recordName == nil, named.kind == .create { named.recordName = makeName() }
            if let name = named.recordName, !seen.insert(name).inserted {
                throw RecordError(
                    .badRequest, "You can't save the same record twice", culprit: name,
                    nextStep: "put everything about a record into one operation"
                )
            }
            do {
                try check(named, in: zone, of: owner)
                result.append((named, nil))
            } catch {
                result.append((named, error))
            }
        }
        return result
    }

    private func check(
        _ operation: RecordOperation, in zone: String, of owner: String?
    ) throws(RecordError) {
        guard let name = operation.recordName else {
            throw RecordError(
                .badRequest, "recordName is required for \(operation.kind.rawValue)", culprit: "recordName",
                nextStep: "name the record"
            )
        }
        if let refusal = UserRecordRules.refusal(of: operation) { throw refusal }
        let mayBeReserved = !operation.kind.mayCreate || UserRecordRules.isName(name)
        try NameRules.checkRecordName(name, limits: limits, mayBeReserved: mayBeReserved)
        if let other = operation.zone { try check(other, is: zone, of: owner) }
        if operation.kind == .create, operation.recordType == nil {
            throw RecordError(
                .badRequest, "recordType is required to create a record", culprit: name,
                nextStep: "name the record type in the operation"
            )
        }
        for (field, value) in operation.fields {
            let elements = value.value.elements
            if elements.count > limits.listElements {
                throw RecordError(
                    .limitExceeded,
                    "the list in field '\(field)' has more than \(limits.listElements) elements",
                    culprit: name,
                    nextStep: "make each element a record with a reference to this one"
                )
            }
            for case .reference(let reference) in elements { try check(reference, in: field) }
        }
    }

    /// Checks the zone that a record repeats. One without an owner has the owner of the request's zone, and
    /// the public database ignores owners.
    private func check(_ other: ZoneID, is zone: String, of owner: String?) throws(RecordError) {
        if other.name == zone, owner == nil || other.owner == nil || other.owner == owner { return }
        throw RecordError(
            .badRequest, "the record's zone is not the zone of the request", culprit: "zoneID",
            nextStep: "send one request for each zone, and name the zone beside the operations"
        )
    }

    /// Checks only the lengths of names, and that they have no NUL, at which SQLite ends a text and which
    /// PostgreSQL refuses. A reference may lead to a record that does not exist.
    private func check(_ reference: Reference, in field: String) throws(RecordError) {
        let names = [reference.recordName, reference.zone?.name, reference.zone?.owner]
        if names.contains(where: { $0?.utf8.contains(0) ?? false }) {
            throw RecordError(
                .badRequest, "the reference in \(field) has a name with the character NUL", culprit: field,
                nextStep: "refer to a record by its recordName and zoneID as the server answered them"
            )
        }
        guard names.contains(where: { ($0?.utf8.count ?? 0) > limits.nameCharacters }) else { return }
        throw RecordError(
            .badRequest, "the reference in \(field) has a name of more than \(limits.nameCharacters) bytes",
            culprit: field,
            nextStep: "refer to a record by its recordName and zoneID as the server answered them"
        )
    }
}
