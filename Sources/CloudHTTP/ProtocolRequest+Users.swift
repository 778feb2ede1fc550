import CloudService
import Records
import RecordsWire

extension ProtocolRequest {
    func usersCaller() async throws -> [UInt8] {
        UserIdentity(try await service.people.currentUser(caller)).encoded()
    }

    func usersCurrent() async throws -> [UInt8] {
        UserIdentity(try await service.people.currentUser(caller)).encodedAsUserDictionary()
    }

    /// A request without a body asks for everybody in the caller's address book. The server has none, so the
    /// answer is empty.
    func usersDiscover() async throws -> [UInt8] {
        let request: UsersDiscoverRequest = try await decoded()
        let lookups = request.lookupInfos
        let found = try await service.people.discover(lookups, by: caller)
        let users = zip(lookups, found).compactMap { lookup, user in
            user.map { UserIdentity($0, foundBy: lookup) }
        }
        return UsersAnswer(users: users).encoded()
    }

    func usersLookup(by key: UsersLookupRequest.Key) async throws -> [UInt8] {
        let request = try await working(onBytes: body.count) {
            try UsersLookupRequest(bytes: body, key: key, limits: service.limits)
        }
        let found = try await service.people.discover(request.users, by: caller)
        notes.note(itemErrors: found.lazy.filter { $0 == nil }.map { _ in UsersLookupAnswer.userNotFound })
        return UsersLookupAnswer(
            users: zip(request.users, found).map { lookup, user in
                UsersLookupAnswer.Item(lookup: lookup, user: user.map { UserIdentity($0, foundBy: lookup) })
            }
        ).encoded(in: context)
    }

    func usersLookupContacts() async throws -> [UInt8] {
        _ = try caller.requireUserOrKey()
        return UsersAnswer(users: []).encoded()
    }

    func usersPermission() async throws -> [UInt8] {
        let request: UsersPermission = try await decoded()
        if let isDiscoverable = request.userDiscoverability {
            try await service.people.setDiscoverable(isDiscoverable, by: caller)
        }
        return UsersPermission(userDiscoverability: try await service.people.isDiscoverable(caller)).encoded()
    }
}

extension UserIdentity {
    fileprivate init(_ user: DiscoveredUser, foundBy lookup: UserLookup? = nil) {
        self.init(
            userRecordName: user.userRecordName, givenName: user.givenName, familyName: user.familyName,
            lookupInfo: lookup ?? user.email.map { .email($0) })
    }
}
