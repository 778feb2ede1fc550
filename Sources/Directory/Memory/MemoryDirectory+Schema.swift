package import Records

extension MemoryDirectory {
    package func schema(of container: String, in environment: CloudEnvironment) async throws -> Schema {
        try with { $0.schemas[.init(container: container, environment: environment)] ?? Schema() }
    }

    package func save(
        _ types: [TypeSchema], of container: String, in environment: CloudEnvironment, ifStill known: Schema?
    ) async throws -> Bool {
        let place = ContainerKey(container: container, environment: environment)
        return try with { state in
            guard state.isStill(known, in: place) else { return false }
            for type in types { state.schemas[place, default: Schema()].types[type.name] = type }
            return true
        }
    }

    package func replaceSchema(
        of container: String, in environment: CloudEnvironment, with schema: Schema, ifStill known: Schema?
    ) async throws -> Bool {
        let place = ContainerKey(container: container, environment: environment)
        return try with { state in
            guard state.isStill(known, in: place) else { return false }
            state.schemas[place] = schema
            state.members[place] = state.members[place]?.filter { schema.roles.contains($0.role) }
            return true
        }
    }

    package func roleMembers(
        of container: String, in environment: CloudEnvironment
    ) async throws -> [RoleMember] {
        try with { state in
            let members = state.members[.init(container: container, environment: environment)] ?? []
            return members.sorted { one, other in
                one.role == other.role
                    ? one.userRecordName.precedesInBytes(other.userRecordName)
                    : one.role.precedesInBytes(other.role)
            }
        }
    }

    package func addRoleMember(
        _ member: RoleMember, of container: String, in environment: CloudEnvironment
    ) async throws -> Bool {
        let place = ContainerKey(container: container, environment: environment)
        return try with { state in
            let person = MemoryDirectoryState.UserKey(
                container: container, recordName: member.userRecordName)
            try RoleRules.check(
                member, hasRole: state.schemas[place]?.roles.contains(member.role) == true,
                hasPerson: state.users[person] != nil)
            return state.members[place, default: []].insert(member).inserted
        }
    }

    package func removeRoleMember(
        _ member: RoleMember, of container: String, in environment: CloudEnvironment
    ) async throws -> Bool {
        try with { state in
            let place = ContainerKey(container: container, environment: environment)
            return state.members[place]?.remove(member) != nil
        }
    }
}

extension MemoryDirectoryState {
    /// Whether a schema is the one that the caller knows; nil: any.
    fileprivate func isStill(_ known: Schema?, in place: ContainerKey) -> Bool {
        known.map { $0.complete == (schemas[place] ?? Schema()).complete } ?? true
    }
}
