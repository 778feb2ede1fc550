import CloudService
public import Records

/// Manages the people of a server. A call that fails throws an error that names the culprit and the next
/// step.
public struct PeopleControls: Sendable {
    private let service: CloudService

    init(service: CloudService) {
        self.service = service
    }

    /// All people, sorted by name.
    public var all: [Account] {
        get async throws { try await service.people.all() }
    }

    /// Adds a person. Without a password, the person can sign in by name on open servers only.
    public func add(_ person: Account, password: String? = nil) async throws {
        _ = try await service.people.add(person, password: password)
    }

    /// Changes the account of a person, given by sign-in name or e-mail address.
    public func change(_ name: String, _ change: @Sendable (inout Account) -> Void) async throws {
        try await service.people.change(named: name) { change(&$0) }
    }

    /// Replaces a person's password, or removes it if nil, and ends the person's sessions.
    public func setPassword(_ password: String?, of name: String) async throws {
        try await service.people.setPassword(password, ofPerson: name)
    }

    /// Ends all sessions of a person.
    public func signOut(_ name: String) async throws {
        try await service.people.signOut(person: name)
    }

    /// Deletes a person with all private data.
    public func remove(_ name: String) async throws {
        try await service.people.delete(named: name)
    }
}
