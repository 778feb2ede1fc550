import CloudService
public import Records

/// The people of a server, for whoever holds the server. What cannot be done throws an error that names the
/// culprit and the next step.
public struct PeopleControls: Sendable {
    private let service: CloudService

    init(service: CloudService) {
        self.service = service
    }

    /// Everybody, in the order of their names.
    public var all: [Account] {
        get async throws { try await service.people.all() }
    }

    /// Adds a person. Without a password, the person signs in by name alone, where the server is open.
    public func add(_ person: Account, password: String? = nil) async throws {
        _ = try await service.people.add(person, password: password)
    }

    /// Changes what is known of a person, by sign-in name or e-mail address.
    public func change(_ name: String, _ change: @Sendable (inout Account) -> Void) async throws {
        try await service.people.change(named: name) { change(&$0) }
    }

    /// Replaces a person's password, nil for none, and ends the person's sessions.
    public func setPassword(_ password: String?, of name: String) async throws {
        try await service.people.setPassword(password, ofPerson: name)
    }

    /// Ends all sessions of a person.
    public func signOut(_ name: String) async throws {
        try await service.people.signOut(person: name)
    }

    /// Deletes a person with everything private.
    public func remove(_ name: String) async throws {
        try await service.people.delete(named: name)
    }
}
