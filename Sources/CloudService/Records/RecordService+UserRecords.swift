import Directory
import RecordStore
import Records

extension RecordService {
    /// Creates the missing user records that a batch changes; see `due`.
    func makeUserRecords(
        of draft: ModifyDraft, in database: OpenDatabase, for caller: Caller
    ) async throws {
        let names = draft.accepted.compactMap(\.recordName).filter(UserRecordRules.isName)
        guard !names.isEmpty, draft.zone == ZoneID.defaultName else { return }
        let zone = draft.zone
        let found = try await databases.slowWork.reading(for: caller.workPayer) {
            try await database.records.heads(named: names, in: zone)
        }
        let missing = zip(names, found).filter { $1 == nil }.map(\.0)
        try await makeUserRecords(try await due(missing, in: database.key), in: database, for: caller)
    }

    /// Creates the user records that a look-up did not find; see `due`. Returns whether there were any.
    func makeUserRecords(
        missedBy results: [ItemResult], zone: ZoneID?, in scope: DatabaseKind, for caller: Caller
    ) async throws -> Bool {
        guard zone == nil || zone?.name == ZoneID.defaultName else { return false }
        let missing = results.compactMap { result -> String? in
            guard case .failure(let id, let error) = result, error.code == .notFound else { return nil }
            return UserRecordRules.isName(id.name) ? id.name : nil
        }
        let key = try databases.key(of: scope, for: caller)
        let due = try await due(missing, in: key)
        if due.isEmpty { return false }
        try await databases.using(key) { try await makeUserRecords(due, in: $0, for: caller) }
        return true
    }

    /// The names for which the server creates a user record: those of the container's people in the public
    /// database, and that of the owner in a private one.
    private func due(_ names: [String], in key: DatabaseKey) async throws -> [String] {
        var due: [String] = []
        for name in Set(names).sorted(by: { $0.precedesInBytes($1) }) {
            if let owner = key.owner {
                if owner == name { due.append(name) }
            } else if try await context.directory.account(withUserRecordName: name, in: key.container) != nil
            {
                due.append(name)
            }
        }
        return due
    }

    private func makeUserRecords(
        _ names: [String], in database: OpenDatabase, for caller: Caller
    ) async throws {
        let schema = try await schemaCache.schema(of: ContainerKey(caller))
        for name in names {
            let operation = RecordOperation(.create, recordName: name, recordType: UserRecordRules.type)
            let stamp = Stamp(at: context.runtime.now(), by: name)
            // If another request has created the record meanwhile, the resulting error can be ignored.
            _ = try await database.records.commit(
                WriteBatch(operations: [operation], stamp: stamp, schema: schema, limits: context.limits))
        }
    }

    /// Removes a deleted person's subscriptions and notifications from the databases of those who share with
    /// the person.
    func removeSharedPushes(of name: String, in container: String) async throws {
        for environment in CloudEnvironment.allCases {
            for key in try await databases.sharingKeys(for: name, in: container, environment) {
                do {
                    try await databases.using(key) { try await $0.records.forgetPushes(of: name) }
                } catch let error as CancellationError {
                    throw error
                } catch {
                    // Pushes that remain in a damaged database have no effect, because the person is no
                    // longer a member.
                    context.runtime.report("the pushes of a deleted person stay in \(key.text): \(error)")
                }
            }
        }
    }

    /// Removes a deleted person's user record from the public databases, with the person's subscriptions and
    /// notifications there.
    func removePublicUserRecord(_ name: String, of container: String) async throws {
        for environment in CloudEnvironment.allCases {
            let key = DatabaseKey(container: container, environment: environment, owner: nil)
            if context.provider.empty(key) != nil { continue }
            let schema = try await schemaCache.schema(
                of: ContainerKey(container: container, environment: environment))
            // This limit must not refuse the deletion: nobody is left who could first delete the records that
            // refer to the user record.
            var limits = context.limits
            limits.searchableBytesPerRequest = max(limits.searchableBytesPerRequest, limits.requestBytes)
            let batch = WriteBatch(
                operations: [RecordOperation(.forceDelete, recordName: name)],
                stamp: Stamp(at: context.runtime.now(), by: name), schema: schema, limits: limits
            )
            try await databases.using(key) { database in
                _ = try await database.records.commit(batch)
                try await database.records.forgetPushes(of: name)
            }
        }
    }
}
