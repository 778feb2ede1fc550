import Directory
package import Records

/// What an app hears of somebody who agreed to be found.
package struct DiscoveredUser: Hashable, Sendable {
    package var userRecordName: String
    package var givenName: String?
    package var familyName: String?
    /// The address by which the person signs in; told to nobody else.
    package var email: String?
}

extension CloudService {
    /// The people looked for, each in the place of its look-up; nil for those who are unknown, do not use the
    /// app, or have not agreed to be found: nobody can tell these apart.
    ///
    /// Throws `authenticationRequired` for nobody, `authenticationFailed` for keys, `limitExceeded`.
    package func discover(_ lookups: [UserLookup], by caller: Caller) async throws -> [DiscoveredUser?] {
        _ = try userRecordName(of: caller)
        try RecordError.check(
            lookups.count, atMost: limits.recordsPerResponse, "people",
            next: "look for them in several requests"
        )
        // What cannot be an address is nobody's.
        let straight = lookups.map { lookup -> UserLookup in
            switch lookup {
            case .email(let text): .email((try? ContactAddress(email: text).value) ?? "")
            case .phone(let text): .phone((try? ContactAddress(phone: text).value) ?? "")
            case .userRecordName(let text): .userRecordName(NameRules.mayBeSought(text) ? text : "")
            case .contactHash: lookup
            }
        }
        // Whoever is looked for again is looked up once.
        let distinct = Array(Set(straight))
        let found = try await directory.discoverableUsers(distinct, in: caller.container).map { found in
            found.map { account, name in
                DiscoveredUser(
                    userRecordName: name, givenName: account.givenName, familyName: account.familyName)
            }
        }
        let known = Dictionary(zip(distinct, found)) { $1 }
        return straight.map { known[$0] ?? nil }
    }

    /// Whoever asks, with name and address if others may know them.
    package func currentUser(_ caller: Caller) async throws -> DiscoveredUser {
        let name = try userRecordName(of: caller)
        let found = try await directory.discoverableUsers([.userRecordName(name)], in: caller.container)[0]
        return DiscoveredUser(
            userRecordName: name, givenName: found?.account.givenName,
            familyName: found?.account.familyName, email: found?.account.email)
    }

    /// Whether the person who asks lets others find them in this container; nil: never asked.
    package func isDiscoverable(_ caller: Caller) async throws -> Bool? {
        try await directory.isDiscoverable(try userRecordName(of: caller), in: caller.container)
    }

    /// Notes what the person who asks said when asked whether others may find them.
    package func setDiscoverable(_ isDiscoverable: Bool, by caller: Caller) async throws {
        let name = try userRecordName(of: caller)
        guard let account = try await directory.account(withUserRecordName: name, in: caller.container)
        else { throw caller.notSignedIn }
        try await directory.setDiscoverable(
            isDiscoverable, name, in: caller.container, hashes: try contactHashes(of: account))
    }

    /// The hashes by which devices look for a person.
    func contactHashes(of account: Account) throws -> ContactHashes {
        ContactHashes(
            email: try account.email.map { try ContactAddress(email: $0).hash },
            phone: try account.phone.map { try ContactAddress(phone: $0).hash })
    }
}
