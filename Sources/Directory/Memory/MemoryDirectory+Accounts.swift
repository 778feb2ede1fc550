package import Records

extension MemoryDirectory {
    package func account(named name: String, newID: String, at time: Timestamp) async throws -> Account {
        try with { state in
            if let known = state.accounts.values.first(where: { AccountRules.isSame($0.name, name) }) {
                return known
            }
            let account = Account(id: newID, name: name, created: time)
            try state.checkUnique(account)
            state.accounts[newID] = account
            return account
        }
    }

    package func add(_ account: Account, password: String?) async throws {
        try with { state in
            try state.checkUnique(account)
            state.accounts[account.id] = account
            state.setPassword(password, of: account.id)
        }
    }

    package func accounts() async throws -> [Account] {
        try with { $0.accounts.values.sorted { $0.name.precedesInBytes($1.name) } }
    }

    package func accounts(after name: String?, limit: Int) async throws -> [Account] {
        let later = try await accounts().filter { account in
            name.map { $0.precedesInBytes(account.name) } ?? true
        }
        return Array(later.prefix(limit))
    }

    package func account(signingInAs name: String) async throws -> Account? {
        try with { state in
            let accounts = state.accounts.values
            let address = name.lowercased()
            return accounts.first { AccountRules.isSame($0.name, name) }
                ?? accounts.first { $0.email.map { AccountRules.isSame($0, address) } == true }
        }
    }

    package func change(_ account: Account, hashes: ContactHashes) async throws {
        try with { state in
            try state.checkUnique(account)
            guard let known = state.accounts[account.id] else { throw AccountRules.missing(account.name) }
            var changed = account
            changed.created = known.created
            changed.hasPassword = known.hasPassword
            state.accounts[account.id] = changed
            state.contactHashes[account.id] = hashes
        }
    }

    package func password(of account: String) async throws -> String? {
        try with { $0.passwords[account] }
    }

    package func setPassword(_ password: String?, of account: String) async throws -> EndedSessions {
        try with { state in
            guard state.accounts[account] != nil else { throw AccountRules.missing(account) }
            state.setPassword(password, of: account)
            return state.endSessions(of: account)
        }
    }

    package func removeAccount(_ account: String) async throws -> EndedSessions {
        try with { state in
            let ended = state.endSessions(of: account)
            let keys = state.userKeys(of: account)
            state.badges = state.badges.filter { badge, _ in
                !keys.contains(.init(container: badge.place.container, recordName: badge.user))
            }
            state.sharedZones = state.sharedZones.filter { key, _ in
                !keys.contains(.init(container: key.place.container, recordName: key.user))
            }
            for (place, members) in state.members {
                state.members[place] = members.filter {
                    !keys.contains(.init(container: place.container, recordName: $0.userRecordName))
                }
            }
            for key in keys { state.users[key] = nil }
            state.accounts[account] = nil
            state.passwords[account] = nil
            state.contactHashes[account] = nil
            state.linkedAddresses = state.linkedAddresses.filter { $0.value != account }
            return ended
        }
    }

    // MARK: Record names

    package func userRecordName(
        of account: Account, in container: String, candidate: String
    ) async throws -> String {
        try with { state in
            let known = state.users.first { $0.key.container == container && $0.value.account == account.id }
            if let known { return known.key.recordName }
            guard state.accounts[account.id] != nil else { throw AccountRules.missing(account.name) }
            state.users[.init(container: container, recordName: candidate)] = .init(account: account.id)
            return candidate
        }
    }

    package func userRecordNames(of account: String) async throws -> [String: String] {
        try with { state in
            Dictionary(
                uniqueKeysWithValues: state.userKeys(of: account).map { ($0.container, $0.recordName) })
        }
    }

    package func account(
        withUserRecordName name: String, in container: String
    ) async throws -> Account? {
        try with { $0.account(ofUser: .init(container: container, recordName: name)) }
    }

    package func containers(withUserRecordName name: String) async throws -> [String] {
        try with { state in
            state.users.keys.filter { AccountRules.isSame($0.recordName, name) }.map(\.container)
                .sorted { $0.precedesInBytes($1) }
        }
    }

    // MARK: Linked addresses

    package func link(_ address: ContactAddress, to account: String) async throws {
        try with { state in
            guard state.accounts[account] != nil else { throw AccountRules.missing(account) }
            let isTaken = state.accounts.values.contains {
                $0.id != account && AccountRules.isIdentified($0, by: address.value)
            }
            if isTaken || state.linkedAddresses[address].map({ $0 != account }) == true {
                throw AccountRules.taken(address)
            }
            state.linkedAddresses[address] = account
        }
    }

    package func linkedAddresses(of account: String) async throws -> [ContactAddress] {
        try with { state in
            state.linkedAddresses.filter { $0.value == account }.keys
                .sorted { $0.text.precedesInBytes($1.text) }
        }
    }
}

extension MemoryDirectoryState {
    fileprivate mutating func setPassword(_ password: String?, of account: String) {
        passwords[account] = password
        accounts[account]?.hasPassword = password != nil
    }
}
