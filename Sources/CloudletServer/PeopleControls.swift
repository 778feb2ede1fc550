// Owns what the user of a server does about the people who can sign in.

import CloudService
import Records

/// Somebody who can sign in, as the user of a server sees the account.
public struct ServerPerson: Hashable, Sendable {
    /// Whether the person may use the server.
    public enum Status: String, Hashable, Sendable, CaseIterable {
        /// Nothing is in the way.
        case available
        /// An administrator forbids it; apps see `CKAccountStatus.restricted`.
        case restricted
        /// The person has to see to something first; apps see `CKAccountStatus.temporarilyUnavailable`.
        case temporarilyUnavailable
    }

    /// The name to sign in with.
    public var name: String
    /// The e-mail address, which serves to sign in as well.
    public var email: String?
    /// `+` and digits.
    public var phone: String?
    /// The given name, shown to those whom the person lets find them.
    public var givenName: String?
    /// The family name.
    public var familyName: String?
    /// Whether the person may use the server.
    public var status: Status

    /// A person; the name alone is needed.
    public init(
        _ name: String, email: String? = nil, phone: String? = nil, givenName: String? = nil,
        familyName: String? = nil, status: Status = .available
    ) {
        self.name = name
        self.email = email
        self.phone = phone
        self.givenName = givenName
        self.familyName = familyName
        self.status = status
    }

    init(_ account: Account) {
        self.init(
            account.name, email: account.email, phone: account.phone, givenName: account.givenName,
            familyName: account.familyName, status: Status(account.status))
    }

    func write(to account: inout Account) {
        account.name = name
        account.email = email
        account.phone = phone
        account.givenName = givenName
        account.familyName = familyName
        account.status = status.account
    }
}

extension ServerPerson.Status {
    fileprivate init(_ status: AccountStatus) {
        switch status {
        case .available: self = .available
        case .restricted: self = .restricted
        case .temporarilyUnavailable: self = .temporarilyUnavailable
        }
    }

    fileprivate var account: AccountStatus {
        switch self {
        case .available: .available
        case .restricted: .restricted
        case .temporarilyUnavailable: .temporarilyUnavailable
        }
    }
}

/// The people of a server, for whoever holds the server. What cannot be done throws an error that names the
/// culprit and the next step.
public struct PeopleControls: Sendable {
    private let service: CloudService

    init(service: CloudService) {
        self.service = service
    }

    /// Everybody, in the order of their names.
    public var all: [ServerPerson] {
        get async throws { try await service.people().map(ServerPerson.init) }
    }

    /// Adds a person. Without a password, the person signs in by name alone, where the server is open.
    public func add(_ person: ServerPerson, password: String? = nil) async throws {
        var account = Account(id: "", name: person.name)
        person.write(to: &account)
        _ = try await service.addPerson(account, password: password)
    }

    /// Changes what is known of a person, by sign-in name or e-mail address.
    public func change(_ name: String, _ change: @Sendable (inout ServerPerson) -> Void) async throws {
        try await service.changePerson(named: name) { account in
            var person = ServerPerson(account)
            change(&person)
            person.write(to: &account)
        }
    }

    /// Replaces a person's password, nil for none, and ends the person's sessions.
    public func setPassword(_ password: String?, of name: String) async throws {
        try await service.setPassword(password, ofPerson: name)
    }

    /// Ends all sessions of a person.
    public func signOut(_ name: String) async throws {
        try await service.signOut(person: name)
    }

    /// Deletes a person with everything private.
    public func remove(_ name: String) async throws {
        try await service.deletePerson(named: name)
    }
}
