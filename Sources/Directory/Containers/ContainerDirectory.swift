package import Records

/// A container of the server.
package struct ContainerEntry: Hashable, Sendable {
    package var name: String
    package var createdAt: Timestamp
    /// The URL of the app's web page, which people open from the pages of shares; nil uses the server's
    /// fallback URL.
    package var fallbackURL: String?

    package init(name: String, createdAt: Timestamp, fallbackURL: String? = nil) {
        self.name = name
        self.createdAt = createdAt
        self.fallbackURL = fallbackURL
    }
}

/// Stores which containers exist.
///
/// - A container is added once, and keeps the time of its creation.
/// - Containers are sorted by name.
/// - The users of a container are those who have a record name in it.
/// - The users of a container are listed by record name, in pages.
/// - A container that exists has the fallback URL that was set last.
/// - Removing a container removes all its data, and nothing of other containers.
/// - Removing a container succeeds once.
package protocol ContainerDirectory: Sendable {
    /// Adds a container. Returns false if it exists already.
    func addContainer(_ name: String, at time: Timestamp) async throws -> Bool

    /// The container with that name; nil if there is none.
    func container(_ name: String) async throws -> ContainerEntry?

    /// All containers, sorted by name.
    func containers() async throws -> [ContainerEntry]

    /// Sets the URL of the app's web page, or removes it if nil. Returns false if the container does not
    /// exist.
    func setFallbackURL(_ url: String?, of container: String) async throws -> Bool

    /// The number of people who have a user record name in a container.
    func userCount(of container: String) async throws -> Int64

    /// The user record names in a container, sorted by bytes.
    ///
    /// - Parameters:
    ///   - name: the last name of the page before; nil: the first page.
    ///   - limit: the maximum number of names.
    func userRecordNames(in container: String, after name: String?, limit: Int) async throws -> [String]

    /// Removes a container with all its data in the directory: users, the sessions that are valid only there,
    /// devices, badges, shared zones, tokens, keys, schemas, role members, and the operators' roles in it.
    /// The audit log keeps its entries. Returns false if the container does not exist.
    func removeContainer(_ name: String) async throws -> Bool
}
