package import Records

extension MemoryDirectory {
    package func discoverableUsers(
        _ lookups: [UserLookup], in container: String
    ) async throws -> [(account: Account, userRecordName: String)?] {
        try with { state in
            lookups.map { lookup in
                for (key, user) in state.users
                where key.container == container && user.isDiscoverable == true {
                    guard let account = state.accounts[user.account] else { continue }
                    let hashes = state.contactHashes[account.id] ?? ContactHashes()
                    let isMeant =
                        switch lookup {
                        case .email(let address): account.email == address
                        case .phone(let number): account.phone == number
                        case .userRecordName(let name): key.recordName == name
                        case .contactHash(let hash): hashes.email == hash || hashes.phone == hash
                        }
                    if isMeant { return (account, key.recordName) }
                }
                return nil
            }
        }
    }

    package func isDiscoverable(_ userRecordName: String, in container: String) async throws -> Bool? {
        try with { $0.users[.init(container: container, recordName: userRecordName)]?.isDiscoverable }
    }

    package func setDiscoverable(
        _ isDiscoverable: Bool, _ userRecordName: String, in container: String, hashes: ContactHashes
    ) async throws {
        try with { state in
            let key = MemoryDirectoryState.UserKey(container: container, recordName: userRecordName)
            guard let user = state.users[key] else { return }
            state.users[key]?.isDiscoverable = isDiscoverable
            state.contactHashes[user.account] = hashes
        }
    }
}
