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
///
/// - A container is added once, and keeps the time of its making.
/// - Containers are listed by name.
/// - The users of a container are those who have a record name in it.
/// - A container that is removed takes all that is kept under its name with it, and nothing of others.
/// - A container is removed once.
package protocol ContainerDirectory: Sendable {
    /// Adds a container; false when it was there.
    func addContainer(_ name: String, at time: Timestamp) async throws -> Bool

    /// The container of that name; nil if there is none.
    func container(_ name: String) async throws -> ContainerEntry?

    /// All containers, by name.
    func containers() async throws -> [ContainerEntry]

    /// How many people have used a container.
    func userCount(of container: String) async throws -> Int64

    /// Removes a container with all that is kept under its name: users, sessions, devices, badges, tokens,
    /// keys, schemas, members of roles. False when it was not there.
    func removeContainer(_ name: String) async throws -> Bool
}
