package import Records

extension MemoryDirectory {
    package func add(_ account: OperatorAccount, password: String) async throws {
        try with { state in
            if state.operators[account.name] != nil { throw OperatorRules.taken(account.name) }
            state.operators[account.name] = (account, password)
        }
    }

    package func change(_ account: OperatorAccount, password: String?) async throws {
        try with { state in
            guard let known = state.operators[account.name] else { throw OperatorRules.missing(account.name) }
            var changed = account
            changed.created = known.account.created
            state.operators[account.name] = (changed, password ?? known.password)
        }
    }

    package func removeOperator(named name: String) async throws {
        try with { state in
            if state.operators.removeValue(forKey: name) == nil { throw OperatorRules.missing(name) }
        }
    }

    package func operators() async throws -> [OperatorAccount] {
        try with { state in
            state.operators.values.map(\.account).sorted { $0.name.precedesInBytes($1.name) }
        }
    }

    package func operatorAccount(
        named name: String
    ) async throws -> (account: OperatorAccount, password: String)? {
        try with { $0.operators[name] }
    }

    @discardableResult
    package func addAuditEntry(_ entry: AuditEntry, limit: Int) async throws -> Int64 {
        try with { state in
            state.lastAuditEntry += 1
            var entry = entry
            entry.number = state.lastAuditEntry
            state.audit.append(entry)
            for _ in 0..<max(0, state.audit.count - limit) { Self.removeOldest(of: &state.audit) }
            return entry.number
        }
    }

    /// Deletes the oldest entry of the largest share.
    private static func removeOldest(of log: inout [AuditEntry]) {
        let byOperator = Dictionary(grouping: log, by: \.by)
        let most = byOperator.values.map(\.count).max()
        let oldest = byOperator.values.filter { $0.count == most }.compactMap { entries in
            let byAction = Dictionary(grouping: entries, by: \.action).values
            let most = byAction.map(\.count).max()
            return byAction.filter { $0.count == most }.flatMap { $0.map(\.number) }.min()
        }
        .min()
        log.removeAll { $0.number == oldest }
    }

    package func replaceAuditEntry(_ number: Int64, by entry: AuditEntry?) async throws {
        try with { state in
            guard let index = state.audit.lastIndex(where: { $0.number == number }) else { return }
            if var entry {
                entry.number = number
                state.audit[index] = entry
            } else {
                state.audit.remove(at: index)
            }
        }
    }

    package func auditEntries(
        of container: String?, before number: Int64?, limit: Int
    ) async throws -> [AuditEntry] {
        try with { state in
            let known = state.audit.reversed().lazy.filter { entry in
                (container == nil || entry.container == container) && entry.number < number ?? .max
            }
            return Array(known.prefix(limit))
        }
    }
}
