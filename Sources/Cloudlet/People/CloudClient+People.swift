import Foundation
internal import Records
internal import RecordsWire

extension CloudClient {
    /// Looks up people. The result has one entry per lookup info, in the same order; nil if there is no
    /// match.
    func discover(_ infos: [CKUserIdentityLookupInfo]) async throws -> [CKUserIdentity?] {
        try checkSignedIn()
        var lookups: [UserLookup?] = []
        for info in infos {
            try Task.checkCancellation()
            lookups.append(info.wire)
        }
        let found = try await find(lookups.compactMap(\.self))
        return zip(infos, lookups).map { info, lookup in
            guard let lookup, let identity = found[lookup] else { return nil }
            let user = context.userRecordID(identity.userRecordName)
            return CKUserIdentity(ArchivedIdentity(identity, user: user, lookup: info.plain))
        }
    }

    /// Looks up everybody in the device's address book. Each person occurs once.
    func discoverContacts() async throws -> [CKUserIdentity] {
        try checkSignedIn()
        // The identifiers of the contacts that have an address or number.
        var holders: [UserLookup: [String]] = [:]
        var lookups: [UserLookup] = []
        for contact in try await connection.addressBook() {
            let infos =
                CKUserIdentityLookupInfo.lookupInfos(withEmails: contact.emailAddresses)
                + CKUserIdentityLookupInfo.lookupInfos(withPhoneNumbers: contact.phoneNumbers)
            for lookup in infos.compactMap(\.wire) {
                try Task.checkCancellation()
                if holders[lookup] == nil { lookups.append(lookup) }
                holders[lookup, default: []].append(contact.identifier)
            }
        }
        let found = try await find(lookups)
        // The identifiers of a person's contacts, by user record name.
        var contacts: [String: [String]] = [:]
        var people: [UserIdentity] = []
        for lookup in lookups {
            guard let identity = found[lookup] else { continue }
            if contacts[identity.userRecordName] == nil { people.append(identity) }
            for holder in holders[lookup] ?? []
            where contacts[identity.userRecordName]?.contains(holder) != true {
                contacts[identity.userRecordName, default: []].append(holder)
            }
        }
        return people.map { identity in
            let user = context.userRecordID(identity.userRecordName)
            let holders = contacts[identity.userRecordName] ?? []
            return CKUserIdentity(ArchivedIdentity(identity, user: user, lookup: nil, contacts: holders))
        }
    }

    private func find(_ lookups: [UserLookup]) async throws -> [UserLookup: UserIdentity] {
        var found: [UserLookup: UserIdentity] = [:]
        var rest = lookups[...]
        while !rest.isEmpty {
            let request = UsersDiscoverRequest(Array(rest.prefix(limits.recordsPerResponse)))
            rest = rest.dropFirst(limits.recordsPerResponse)
            for user in try UsersAnswer(bytes: try await call(.usersDiscover, request)).users {
                if let lookup = user.lookupInfo { found[lookup] = user }
            }
        }
        return found
    }

    /// Whether the person allows others to find them; nil if the person was never asked.
    func userDiscoverability() async throws -> Bool? {
        try await permission(UsersPermission())
    }

    /// Stores whether the person allows others to find them.
    func setUserDiscoverability(_ isGranted: Bool) async throws {
        _ = try await permission(UsersPermission(userDiscoverability: isGranted))
    }

    private func permission(_ request: UsersPermission) async throws -> Bool? {
        try checkSignedIn()
        let changes = request.userDiscoverability != nil
        let bytes = try await call(.usersPermission, request, changes: changes)
        return try UsersPermission(bytes: bytes).userDiscoverability
    }
}
