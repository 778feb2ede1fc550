import Directory
import Records
import Testing

@Suite("Directory contract: operators and audit log")
struct OperatorTests {
    private static let ann = OperatorAccount(
        name: "ann", role: .viewer, containers: ["c": .admin, "d": .developer], created: time(7))

    @Test(
        "An operator has a password and roles, for all containers and for single ones",
        arguments: DirectoryKind.allCases)
    func found(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            try await directory.add(Self.ann, password: "hash")
            let found = try await directory.operatorAccount(named: "ann")
            #expect(found?.account == Self.ann)
            #expect(found?.password == "hash")
            #expect(try await directory.operatorAccount(named: "bert") == nil)
        }
    }

    @Test("Operators are sorted by name", arguments: DirectoryKind.allCases)
    func sorted(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            for name in ["cleo", "Bert", "ann"] {
                try await directory.add(OperatorAccount(name: name), password: "hash")
            }
            #expect(try await directory.operators().map(\.name) == ["Bert", "ann", "cleo"])
        }
    }

    @Test("Adding an operator whose name is in use fails with `exists`", arguments: DirectoryKind.allCases)
    func taken(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            try await directory.add(Self.ann, password: "hash")
            await expect(.exists) {
                try await directory.add(OperatorAccount(name: "ann"), password: "other")
            }
            #expect(try await directory.operatorAccount(named: "ann")?.account == Self.ann)
        }
    }

    @Test(
        "Changing an operator replaces the roles, and keeps the password unless there is a new one",
        arguments: DirectoryKind.allCases)
    func changed(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            try await directory.add(Self.ann, password: "hash")
            var changed = OperatorAccount(name: "ann", containers: ["e": .viewer])
            try await directory.change(changed, password: nil)
            changed.created = Self.ann.created
            var found = try await directory.operatorAccount(named: "ann")
            #expect(found?.account == changed)
            #expect(found?.password == "hash")
            try await directory.change(changed, password: "new")
            found = try await directory.operatorAccount(named: "ann")
            #expect(found?.password == "new")
        }
    }

    @Test(
        "Changing or removing a missing operator fails with `notFound`", arguments: DirectoryKind.allCases)
    func missing(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            try await directory.add(Self.ann, password: "hash")
            try await directory.removeOperator(named: "ann")
            await expect(.notFound) { try await directory.removeOperator(named: "ann") }
            await expect(.notFound) { try await directory.change(Self.ann, password: nil) }
            #expect(try await directory.operators() == [])
        }
    }

    @Test("Removing a container removes the operators' roles in it", arguments: DirectoryKind.allCases)
    func containerRemoved(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            _ = try await directory.addContainer("c", at: time(1))
            try await directory.add(Self.ann, password: "hash")
            _ = try await directory.removeContainer("c")
            let found = try await directory.operatorAccount(named: "ann")
            #expect(found?.account.containers == ["d": .developer])
            #expect(found?.account.role == .viewer)
        }
    }

    // MARK: Audit log

    private func entry(_ subject: String, in container: String? = nil) -> AuditEntry {
        AuditEntry(
            at: time(5), by: "ann", container: container, environment: container.map { _ in .production },
            action: "index.add", subject: subject, before: nil, after: "QUERYABLE")
    }

    @Test(
        "Audit entries are listed newest first, in pages, all or those of one container",
        arguments: DirectoryKind.allCases)
    func listed(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            for (subject, container) in [("1", "c"), ("2", nil), ("3", "d"), ("4", "c")] {
                try await directory.addAuditEntry(entry(subject, in: container), limit: 10)
            }
            let first = try await directory.auditEntries(of: nil, before: nil, limit: 3)
            #expect(first.map(\.subject) == ["4", "3", "2"])
            #expect(first.map(\.number) == [4, 3, 2])
            var whole = entry("4", in: "c")
            whole.number = 4
            #expect(first.first == whole)
            let second = try await directory.auditEntries(of: nil, before: 2, limit: 3)
            #expect(second.map(\.subject) == ["1"])
            let own = try await directory.auditEntries(of: "c", before: nil, limit: 3)
            #expect(own.map(\.subject) == ["4", "1"])
        }
    }

    @Test("The audit log keeps the newest entries, up to its limit", arguments: DirectoryKind.allCases)
    func bounded(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            for number in 1...5 { try await directory.addAuditEntry(entry("\(number)"), limit: 3) }
            let kept = try await directory.auditEntries(of: nil, before: nil, limit: 10)
            #expect(kept.map(\.subject) == ["5", "4", "3"])
            #expect(kept.map(\.number) == [5, 4, 3])
        }
    }

    @Test(
        """
        An operator who makes many changes displaces no entries of others in the audit log, and entries of \
        one action displace none of other actions
        """,
        arguments: DirectoryKind.allCases)
    func shares(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            func add(_ subject: String, by name: String, _ action: String) async throws -> Int64 {
                var new = entry(subject)
                (new.by, new.action) = (name, action)
                return try await directory.addAuditEntry(new, limit: 6)
            }
            func kept() async throws -> [String] {
                try await directory.auditEntries(of: nil, before: nil, limit: 9).map(\.subject).reversed()
            }
            _ = try await add("ann", by: "ann", "record.delete")
            _ = try await add("bob 1", by: "bob", "type.delete")
            for number in 1...8 { _ = try await add("bob +\(number)", by: "bob", "record.create") }
            #expect(try await kept() == ["ann", "bob 1", "bob +5", "bob +6", "bob +7", "bob +8"])
            for number in 1...9 { _ = try await add("ann +\(number)", by: "ann", "record.change") }
            #expect(try await kept() == ["ann", "bob 1", "bob +7", "bob +8", "ann +8", "ann +9"])
            // The outcome of a change may have another action, and a change may be taken back.
            let begun = try await add("begun", by: "bob", "Types: delete")
            #expect(try await kept() == ["ann", "bob 1", "bob +8", "ann +8", "ann +9", "begun"])
            var outcome = entry("done")
            (outcome.by, outcome.action) = ("bob", "type.delete")
            try await directory.replaceAuditEntry(begun, by: outcome)
            let refused = try await add("refused", by: "carol", "Types: create")
            #expect(try await kept() == ["ann", "bob +8", "ann +8", "ann +9", "done", "refused"])
            try await directory.replaceAuditEntry(refused, by: nil)
            _ = try await add("carol", by: "carol", "type.create")
            #expect(try await kept() == ["ann", "bob +8", "ann +8", "ann +9", "done", "carol"])
        }
    }

    @Test("An audit entry can be replaced or removed by its number", arguments: DirectoryKind.allCases)
    func replaced(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            var numbers: [Int64] = []
            for subject in ["1", "2", "3"] {
                numbers.append(try await directory.addAuditEntry(entry(subject), limit: 10))
            }
            #expect(numbers == [1, 2, 3])
            try await directory.replaceAuditEntry(1, by: entry("new", in: "c"))
            try await directory.replaceAuditEntry(2, by: nil)
            try await directory.replaceAuditEntry(7, by: entry("nowhere"))
            var expected = [entry("3"), entry("new", in: "c")]
            (expected[0].number, expected[1].number) = (3, 1)
            #expect(try await directory.auditEntries(of: nil, before: nil, limit: 10) == expected)
        }
    }

    @Test("Audit entries stay when their container is removed", arguments: DirectoryKind.allCases)
    func kept(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            _ = try await directory.addContainer("c", at: time(1))
            try await directory.addAuditEntry(entry("1", in: "c"), limit: 3)
            _ = try await directory.removeContainer("c")
            #expect(try await directory.auditEntries(of: "c", before: nil, limit: 3).count == 1)
        }
    }
}
