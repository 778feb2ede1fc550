package import Records

/// A container that the server has.
package struct ContainerEntry: Hashable, Sendable {
    package var name: String
    package var createdAt: Timestamp

    package init(name: String, createdAt: Timestamp) {
        self.name = name
        self.createdAt = createdAt
    }
}

/// Which containers there are.
package protocol ContainerDirectory: Sendable {
    /// Adds a container; false when it was there.
    func addContainer(_ name: String, at time: Timestamp) async throws -> Bool

    /// The container of that name; nil if there is none.
    func container(_ name: String) async throws -> ContainerEntry?

    /// All containers, by name.
    func containers() async throws -> [ContainerEntry]

    /// How many people have used a container.
    func userCount(of container: String) async throws -> Int64

    /// Forgets a container and everything that is kept under its name: users, tokens, schemas. False when it
    /// was not there.
    func removeContainer(_ name: String) async throws -> Bool
}
