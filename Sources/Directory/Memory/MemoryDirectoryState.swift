import Records

/// The data of a directory in memory.
struct MemoryDirectoryState: Sendable {
    /// A person in a container.
    struct UserKey: Hashable {
        var container: String
        var recordName: String
    }

    struct User {
        var account: String
        /// nil: the person was never asked.
        var isDiscoverable: Bool?
    }

    struct DeviceKey: Hashable {
        var place: ContainerKey
        var text: String
    }

    /// A person in one container and environment.
    struct PersonKey: Hashable {
        var place: ContainerKey
        var user: String
    }

    /// The accounts, by `id`.
    var accounts: [String: Account] = [:]
    var passwords: [String: String] = [:]
    var contactHashes: [String: ContactHashes] = [:]
    /// The account of each linked address.
    var linkedAddresses: [ContactAddress: String] = [:]
    var users: [UserKey: User] = [:]
    var sessions: [[UInt8]: (session: Session, created: Timestamp)] = [:]
    var containers: [String: ContainerEntry] = [:]
    var secrets: [String: [UInt8]] = [:]
    var tokens: [[UInt8]: APIToken] = [:]
    var keys: [String: ServerKey] = [:]
    var devices: [DeviceKey: PushToken] = [:]
    var badges: [PersonKey: Int] = [:]
    var sharedZones: [PersonKey: [SharedZone]] = [:]
    /// The highest number assigned to a shared zone so far.
    var lastSharedZone: Int64 = 0
    var schemas: [ContainerKey: Schema] = [:]
    var members: [ContainerKey: Set<RoleMember>] = [:]
    /// The operators with the hashes of their passwords, by name.
    var operators: [String: (account: OperatorAccount, password: String)] = [:]
    /// The audit log, oldest entry first.
    var audit: [AuditEntry] = []
    /// The number of the newest audit entry.
    var lastAuditEntry: Int64 = 0

    // MARK: People

    /// Throws `exists` when another account has the name, e-mail address or phone number of this one, or one
    /// of them is linked to another account.
    func checkUnique(_ account: Account) throws {
        try AccountRules.checkUnique(account) { text in
            accounts.values.contains { $0.id != account.id && AccountRules.isIdentified($0, by: text) }
                || [ContactAddress.email(text.lowercased()), .phone(text)].contains { address in
                    linkedAddresses[address].map { $0 != account.id } == true
                }
        }
    }

    func account(ofUser key: UserKey) -> Account? {
        users[key].flatMap { accounts[$0.account] }
    }

    /// The person's record names, each with its container.
    func userKeys(of account: String) -> Set<UserKey> {
        Set(users.filter { $0.value.account == account }.keys)
    }

    // MARK: Sessions

    /// Ends sessions, and removes the devices that were registered in them.
    mutating func endSessions(_ hashes: [[UInt8]]) -> EndedSessions {
        var ended = EndedSessions(hashes: hashes)
        for hash in hashes {
            ended.devices += removeDevices { $0.session == hash }
            sessions[hash] = nil
        }
        return ended
    }

    /// Ends the sessions that match a condition.
    mutating func endSessions(where matches: (Session) -> Bool) -> EndedSessions {
        endSessions(
            sessions.filter { matches($0.value.session) }.keys.sorted { $0.lexicographicallyPrecedes($1) })
    }

    /// Ends all sessions of a person, and removes all devices of the person.
    mutating func endSessions(of account: String) -> EndedSessions {
        var ended = endSessions { $0.account == account }
        let keys = userKeys(of: account)
        ended.devices += removeDevices {
            keys.contains(UserKey(container: $0.container, recordName: $0.user))
        }
        return ended
    }

    /// Removes the devices that match a condition, and returns them, oldest first.
    private mutating func removeDevices(where matches: (PushToken) -> Bool) -> [PushToken] {
        let removed = devices.filter { matches($0.value) }
        for key in removed.keys { devices[key] = nil }
        return removed.values.sorted(by: PushToken.isOlder)
    }
}

extension PushToken {
    /// The order in which devices are listed: by time of registration, then by token, container and
    /// environment.
    static func isOlder(_ one: PushToken, than other: PushToken) -> Bool {
        if one.created != other.created { return one.created < other.created }
        if one.text != other.text { return one.text.precedesInBytes(other.text) }
        if one.container != other.container { return one.container.precedesInBytes(other.container) }
        return one.environment.rawValue < other.environment.rawValue
    }
}
