package import Records

/// Decides what a participant may do with the records of an owner's zone. The owner may do everything, so
/// these rules are asked for others only.
package struct ShareAccess: Sendable {
    package var person: String

    package init(person: String) { self.person = person }

    /// Throws unless the person may read a record that these terms cover; nil for a record that no share
    /// covers. A record that is not covered looks like a missing one.
    package func checkReading(_ name: String, under terms: Share?) throws(RecordError) {
        if !mayRead(under: terms) { throw Self.missing(name) }
    }

    private func mayRead(under terms: Share?) -> Bool {
        terms.map { $0.permission(of: person) != .none } ?? false
    }

    /// Throws unless the person may apply an operation. An operation on a record that the person may not see
    /// gets the errors of one on a missing record, and is also refused if it could create that record. The
    /// parent of a root is hidden, so every parent that a person sets there is refused.
    ///
    /// - Parameters:
    ///   - existing: the record before; nil for a new one.
    ///   - terms: those that cover the existing record.
    ///   - parent: the parent after the operation; nil for none.
    ///   - parentTerms: those that cover the parent.
    package func check(
        _ operation: RecordOperation, on existing: StoredRecord?, under terms: Share?, parent: String?,
        under parentTerms: Share?
    ) throws(RecordError) {
        let name = operation.recordName ?? ""
        if existing != nil, !mayRead(under: terms) {
            // A share of the whole zone also covers records that do not exist yet.
            try check(
                operation, on: nil, under: terms?.root == nil ? terms : nil, parent: parent,
                under: parentTerms)
            throw Self.refusal(
                name, "WRITE operation not permitted", next: "save the record under another name")
        }
        if let existing {
            if existing.type == Share.recordType {
                if operation.kind.isDelete { return }
                return try checkManaging(name, terms)
            }
            try checkWriting(name, terms)
            if operation.kind.isDelete, terms?.root == name {
                throw Self.refusal(
                    name, "only the owner may delete the root of a share",
                    next: "leave the share instead, by deleting its share record")
            }
            if operation.kind.isDelete { return }
            if terms?.root == name {
                guard case .set = operation.parent else { return }
                throw Self.refusal(
                    name, "only the owner may change the parent of the root of a share",
                    next: "save the record without a change to its parent")
            }
        } else if !operation.kind.mayCreate {
            throw Self.missing(name)
        } else if operation.recordType == Share.recordType {
            throw Self.refusal(
                name, "only the owner may share records", next: "ask the owner to share the record")
        }
        // Everything in a shared zone is covered, with or without a parent.
        if let terms = existing == nil ? parentTerms ?? terms : terms, terms.root == nil {
            return try checkWriting(name, terms)
        }
        guard parent != nil, let parentTerms, mayRead(under: parentTerms),
            terms == nil || terms?.shortGUID == parentTerms.shortGUID
        else {
            throw Self.refusal(
                name, "a record in the shared database needs a parent in the same share",
                next: "set the parent to a record of the share")
        }
        try checkWriting(name, parentTerms)
    }

    private func checkWriting(_ name: String, _ terms: Share?) throws(RecordError) {
        if terms?.permission(of: person) == .readWrite { return }
        throw Self.refusal(
            name, "WRITE operation not permitted", next: "ask the owner for permission to write")
    }

    private func checkManaging(_ name: String, _ terms: Share?) throws(RecordError) {
        if terms?.participant(person)?.role == .administrator { return }
        throw Self.refusal(
            name, "only the owner and administrators may change a share",
            next: "ask the owner to change it; to leave the share, delete it")
    }

    private static func missing(_ name: String) -> RecordError {
        RecordError(
            .notFound, "Record not found", culprit: name,
            nextStep: "remove your copy: the record is not, or no longer, shared with you")
    }

    private static func refusal(_ name: String, _ reason: String, next: String) -> RecordError {
        RecordError(.accessDenied, reason, culprit: name, nextStep: next)
    }
}
