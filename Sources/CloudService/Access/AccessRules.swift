// Owns who may do what with the records of the public database (law 1).

package import Records

/// A role and what it is for (talk 2, "Security roles").
package enum Role: Hashable, Sendable {
    /// Anybody, signed in or not.
    case world
    /// Anybody who is signed in.
    case icloud
    /// Whoever created the record.
    case creator
}

/// What a role may do with records of a type.
package enum Permission: String, Hashable, Sendable {
    case create = "CREATE"
    case read = "READ"
    case write = "WRITE"
}

/// The roles that hold each permission on a record type.
package struct Grants: Hashable, Sendable {
    package var create: Set<Role>
    package var read: Set<Role>
    package var write: Set<Role>

    /// Anybody reads, whoever is signed in creates, the creator changes and deletes.
    package static let standard = Grants(create: [.icloud], read: [.world], write: [.creator])

    func roles(with permission: Permission) -> Set<Role> {
        switch permission {
        case .create: create
        case .read: read
        case .write: write
        }
    }
}

/// Decides about the operations of one caller.
package struct AccessRules: Sendable {
    package var userRecordName: String?
    package var grants: Grants

    package init(userRecordName: String?, grants: Grants = .standard) {
        self.userRecordName = userRecordName
        self.grants = grants
    }

    /// The refusal of an operation on a record as it now is; nil when it is allowed.
    package func refusal(of operation: RecordOperation, on existing: StoredRecord?) -> RecordError? {
        if let existing {
            return refusal(.write, createdBy: existing.created.by, culprit: existing.id.name)
        }
        if operation.kind.isDelete { return nil }
        return refusal(.create, createdBy: nil, culprit: operation.recordName)
    }

    private func refusal(_ permission: Permission, createdBy: String?, culprit: String?) -> RecordError? {
        var held: Set<Role> = [.world]
        if let userRecordName {
            held.insert(.icloud)
            if userRecordName == createdBy { held.insert(.creator) }
        }
        if !held.isDisjoint(with: grants.roles(with: permission)) { return nil }
        return RecordError(
            .accessDenied, "\(permission.rawValue) operation not permitted", culprit: culprit,
            nextStep: userRecordName == nil
                ? "sign in first" : "only its creator may change it; save a record of your own instead"
        )
    }
}
