import Directory
package import Records

/// The data of a discoverable person that an app receives.
package struct DiscoveredUser: Hashable, Sendable {
    package var userRecordName: String
    package var givenName: String?
    package var familyName: String?
    /// The person's e-mail address; set only when the person asks about themselves.
    package var email: String?
}

extension PeopleService {
    /// Returns the result of each look-up, in order; nil for a person who is unknown, does not use the app,
    /// or has not agreed to be found. The caller cannot tell these cases apart.
    ///
    /// Throws `authenticationRequired` for an anonymous caller, and `limitExceeded` for too many look-ups.
    package func discover(_ lookups: [UserLookup], by caller: Caller) async throws -> [DiscoveredUser?] {
        _ = try caller.requireUserOrKey()
        try RecordError.check(
            lookups.count, atMost: context.limits.recordsPerResponse, "people",
            next: "look for them in several requests"
        )
        // A malformed address finds nobody.
        let normalized = lookups.map { lookup -> UserLookup in
            switch lookup {
            case .email(let text): .email((try? ContactAddress(email: text).value) ?? "")
            case .phone(let text): .phone((try? ContactAddress(phone: text).value) ?? "")
            case .userRecordName(let text): .userRecordName(NameRules.canBeLookedUp(text) ? text : "")
            case .contactHash: lookup
            }
        }
        // Look up equal entries once.
        let distinct = Array(Set(normalized))
        var found: [DiscoveredUser?] = []
        // In several reads, so that those of other people come between them.
        for start in stride(from: 0, to: distinct.count, by: Self.lookupsPerRead) {
            let part = Array(distinct[start..<min(start + Self.lookupsPerRead, distinct.count)])
            found += try await context.directory.discoverableUsers(part, in: caller.container).map { found in
                found.map { account, name in
                    DiscoveredUser(
                        userRecordName: name, givenName: account.givenName, familyName: account.familyName)
                }
            }
        }
        let known = Dictionary(zip(distinct, found)) { $1 }
        return normalized.map { known[$0] ?? nil }
    }

    /// The maximum number of people for whom one read of the directory looks.
    private static var lookupsPerRead: Int { 20 }

    /// The caller's record name, with name and e-mail address if the caller agreed to be found. For a
    /// server-to-server key, the record name under which it creates records.
    package func currentUser(_ caller: Caller) async throws -> DiscoveredUser {
        let name = try caller.requireUserOrKey()
        let found = try await context.directory.discoverableUsers(
            [.userRecordName(name)], in: caller.container)[0]
        return DiscoveredUser(
            userRecordName: name, givenName: found?.account.givenName,
            familyName: found?.account.familyName, email: found?.account.email)
    }

    /// Whether the caller agreed to be found in this container; nil if the caller never answered.
    package func isDiscoverable(_ caller: Caller) async throws -> Bool? {
        try await context.directory.isDiscoverable(try caller.requireUserRecordName(), in: caller.container)
    }

    /// Stores whether the caller agrees to be found.
    package func setDiscoverable(_ isDiscoverable: Bool, by caller: Caller) async throws {
        let name = try caller.requireUserRecordName()
        guard
            let account = try await context.directory.account(withUserRecordName: name, in: caller.container)
        else { throw caller.notSignedIn }
        // Hashing an address takes many rounds.
        let hashes = try await records.databases.slowWork.computing(for: caller.workPayer) {
            try contactHashes(of: account)
        }
        try await context.directory.setDiscoverable(
            isDiscoverable, name, in: caller.container, hashes: hashes)
    }

    /// The hashes of a person's addresses, by which devices look people up.
    func contactHashes(of account: Account) throws -> ContactHashes {
        ContactHashes(
            email: try account.email.map { try ContactAddress(email: $0).hash },
            phone: try account.phone.map { try ContactAddress(phone: $0).hash })
    }
}
