import Directory
import Records
import Testing

@Suite("Directory contract: schemas and roles")
struct SchemaTests {
    private let party = TypeSchema(
        name: "Party",
        fields: [
            "name": FieldSchema(type: .scalar(.string), indexes: [.queryable, .searchable]),
            "tags": FieldSchema(type: .list(.string), indexes: []),
            "secret": FieldSchema(type: .scalar(.bytes), isEncrypted: true, indexes: []),
            "count": FieldSchema(type: .scalar(.double), indexes: .sortable, number: .unsettled),
        ],
        systemIndexes: [.recordName: [.queryable], .createdTimestamp: []],
        grants: Grants([.world: [.read, .create], .custom("admin"): [.write], .creator: []]))
    private let clown = TypeSchema(name: "Clown", grants: Grants())

    private func schema(_ types: TypeSchema..., roles: Set<String> = []) -> Schema {
        Schema(types: Dictionary(uniqueKeysWithValues: types.map { ($0.name, $0) }), roles: roles)
    }

    @Test(
        "A schema is read as it was saved, for its container and environment only",
        arguments: DirectoryKind.allCases)
    func roundTrip(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            #expect(try await directory.schema(of: "c", in: .development) == Schema())
            let whole = schema(party, clown, .users, roles: ["admin", "staff"])
            try await directory.replaceSchema(of: "c", in: .development, with: whole)
            #expect(try await directory.schema(of: "c", in: .development) == whole)
            #expect(try await directory.schema(of: "c", in: .production) == Schema())
            #expect(try await directory.schema(of: "d", in: .development) == Schema())
        }
    }

    @Test(
        "Saving types replaces these types, and keeps other types and the roles",
        arguments: DirectoryKind.allCases)
    func save(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            try await directory.replaceSchema(
                of: "c", in: .development, with: schema(party, clown, roles: ["admin"]))
            var changed = party
            changed.fields["name"] = nil
            changed.fields["place"] = FieldSchema(type: .scalar(.location), indexes: .queryable)
            changed.grants = .standard
            changed.systemIndexes = [:]
            let new = TypeSchema(name: "Photo")
            try await directory.save([changed, new], of: "c", in: .development)
            #expect(
                try await directory.schema(of: "c", in: .development)
                    == schema(changed, clown, new, roles: ["admin"]))
        }
    }

    @Test("A schema that has changed since it was read is not changed", arguments: DirectoryKind.allCases)
    func changedMeanwhile(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            let (container, place) = ("c", CloudEnvironment.development)
            // Each container has the type of users, stored or not.
            #expect(try await directory.save([party], of: container, in: place, ifStill: .initial))
            let read = try await directory.schema(of: container, in: place)
            #expect(try await directory.save([clown], of: container, in: place, ifStill: read))
            let present = schema(party, clown)
            #expect(try await directory.schema(of: container, in: place) == present)
            let photo = TypeSchema(name: "Photo")
            #expect(try await !directory.save([photo], of: container, in: place, ifStill: read))
            #expect(
                try await !directory.replaceSchema(
                    of: container, in: place, with: schema(photo), ifStill: read))
            #expect(try await directory.schema(of: container, in: place) == present)
            #expect(
                try await directory.replaceSchema(
                    of: container, in: place, with: schema(photo), ifStill: present))
            #expect(try await directory.schema(of: container, in: place) == schema(photo))
        }
    }

    @Test(
        "Replacing a schema removes the types and roles that the new one lacks",
        arguments: DirectoryKind.allCases)
    func replace(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            try await directory.replaceSchema(
                of: "c", in: .development, with: schema(party, clown, roles: ["admin", "staff"]))
            let new = schema(clown, roles: ["staff", "guests"])
            try await directory.replaceSchema(of: "c", in: .development, with: new)
            #expect(try await directory.schema(of: "c", in: .development) == new)
        }
    }

    /// A directory with two users and two roles.
    private func withRoles(
        _ kind: DirectoryKind, _ body: (any Directory) async throws -> Void
    ) async throws {
        try await withDirectory(kind) { directory in
            for name in ["anna", "bert"] { try await directory.addUser(name) }
            try await directory.replaceSchema(
                of: "c", in: .development, with: schema(roles: ["admin", "staff"]))
            try await body(directory)
        }
    }

    private func member(_ role: String, _ name: String) -> RoleMember {
        RoleMember(role: role, userRecordName: "_\(name)-c")
    }

    @Test(
        "A role that is removed loses its members; a role that stays keeps them",
        arguments: DirectoryKind.allCases)
    func losing(kind: DirectoryKind) async throws {
        try await withRoles(kind) { directory in
            for role in ["admin", "staff"] {
                #expect(try await directory.addRoleMember(member(role, "anna"), of: "c", in: .development))
            }
            for roles in [["admin"], ["admin", "staff"]] as [Set<String>] {
                try await directory.replaceSchema(of: "c", in: .development, with: schema(roles: roles))
                #expect(
                    try await directory.roleMembers(of: "c", in: .development) == [member("admin", "anna")])
            }
        }
    }

    @Test("Members are sorted by role and record name", arguments: DirectoryKind.allCases)
    func list(kind: DirectoryKind) async throws {
        try await withRoles(kind) { directory in
            let sorted = [member("admin", "bert"), member("staff", "anna"), member("staff", "bert")]
            for member in sorted.reversed() {
                _ = try await directory.addRoleMember(member, of: "c", in: .development)
            }
            #expect(try await directory.roleMembers(of: "c", in: .development) == sorted)
            #expect(try await directory.roleMembers(of: "c", in: .production) == [])
        }
    }

    @Test("Adding a member succeeds once, and so does removing the member", arguments: DirectoryKind.allCases)
    func once(kind: DirectoryKind) async throws {
        try await withRoles(kind) { directory in
            let anna = member("admin", "anna")
            let isNew = try await directory.addRoleMember(anna, of: "c", in: .development)
            #expect(isNew)
            #expect(try await directory.addRoleMember(anna, of: "c", in: .development) == false)
            #expect(try await directory.removeRoleMember(anna, of: "c", in: .development))
            #expect(try await directory.removeRoleMember(anna, of: "c", in: .development) == false)
            #expect(try await directory.roleMembers(of: "c", in: .development) == [])
        }
    }

    @Test(
        "Adding a member fails for a missing role and for a person without a record name in the container",
        arguments: DirectoryKind.allCases)
    func missing(kind: DirectoryKind) async throws {
        try await withRoles(kind) { directory in
            for (stranger, environment) in [
                (member("boss", "anna"), CloudEnvironment.development),
                (member("admin", "anna"), .production), (member("admin", "nobody"), .development),
                (RoleMember(role: "admin", userRecordName: "_anna-d"), .development),
            ] {
                await expect(.notFound) {
                    _ = try await directory.addRoleMember(stranger, of: "c", in: environment)
                }
                #expect(try await directory.removeRoleMember(stranger, of: "c", in: environment) == false)
            }
            let members = try await directory.roleMembers(of: "c", in: .development)
            #expect(members == [])
        }
    }
}
