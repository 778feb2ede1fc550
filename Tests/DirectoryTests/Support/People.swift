import Directory
import Records

extension Directory {
    /// Adds a person whose `id` is the name with a number sign in front.
    @discardableResult
    func addPerson(
        _ name: String, email: String? = nil, phone: String? = nil, password: String? = nil
    ) async throws -> Account {
        let account = Account(
            id: "#" + name, name: name, email: email, phone: phone, created: time(5),
            hasPassword: password != nil)
        try await add(account, password: password)
        return account
    }

    /// Adds a person who has a record name in each container, `_<name>-<container>`.
    @discardableResult
    func addUser(
        _ name: String, email: String? = nil, phone: String? = nil, password: String? = nil
    ) async throws -> Account {
        let account = try await addPerson(name, email: email, phone: phone, password: password)
        for container in testContainers {
            _ = try await userRecordName(
                of: account, in: container, candidate: "_\(name)-\(container)")
        }
        return account
    }

    /// Saves types, whatever the schema is.
    func save(_ types: [TypeSchema], of container: String, in environment: CloudEnvironment) async throws {
        _ = try await save(types, of: container, in: environment, ifStill: nil)
    }

    /// Replaces a schema, whatever it is.
    func replaceSchema(
        of container: String, in environment: CloudEnvironment, with schema: Schema
    ) async throws {
        _ = try await replaceSchema(of: container, in: environment, with: schema, ifStill: nil)
    }

    /// Adds a session under a hash of one byte.
    @discardableResult
    func signIn(
        _ hash: UInt8, _ account: Account, in container: String? = nil, seen: Int64 = 0,
        lifetime: Int64? = nil, isOpen: Bool = false, limit: Int = 100
    ) async throws -> EndedSessions {
        try await addSession(
            hash: [hash], session(account, in: container, seen: seen, lifetime: lifetime, isOpen: isOpen),
            limit: limit)
    }

    /// Whether there is a session under a hash.
    func hasSession(_ hash: [UInt8]) async throws -> Bool {
        try await session(hash: hash) != nil
    }

    func session(
        _ account: Account, in container: String? = nil, seen: Int64 = 0, lifetime: Int64? = nil,
        isOpen: Bool = false
    ) -> Session {
        Session(
            account: account.id,
            place: container.map { ContainerKey(container: $0, environment: .development) },
            lifetime: lifetime, seen: time(seen), isOpen: isOpen)
    }

    /// Registers a device of a person in a container.
    @discardableResult
    func addDevice(
        _ text: String, of name: String, in container: String = "c",
        _ environment: CloudEnvironment = .development, session: UInt8? = nil, created: Int64 = 0
    ) async throws -> PushToken {
        let device = PushToken(
            text: text, service: .production, container: container, environment: environment,
            user: "_\(name)-\(container)", client: "phone", created: time(created),
            session: session.map { [$0] })
        _ = try await add(device)
        return device
    }
}
