package import Records

/// The server, or the nodes of a server, whose records an engine keeps.
package struct Installation: Hashable, Sendable {
    /// Chosen at random by the first node.
    package var identifier: String
    /// Whether the database of the engine also has the accounts of the people in the record databases. Then
    /// any number of nodes, each with a data folder, use it at the same time. Otherwise the accounts are in
    /// the data folder of one server.
    package var hasDirectory: Bool

    package init(identifier: String, hasDirectory: Bool) {
        self.identifier = identifier
        self.hasDirectory = hasDirectory
    }
}

/// A database engine that keeps any number of record databases for a server, each under a name.
package protocol RecordStoreEngine: Sendable {
    /// Opens a database, or creates it. The parameters are those of a store.
    func store(
        named name: String, newIdentity: Int64, firstNumber: Int64, codec: any FieldCodec,
        notificationLimits: NotificationLimits, uptime: @escaping @Sendable () -> Duration
    ) async throws -> any RecordStore

    /// Whether a database exists. Does not wait for the engine.
    func exists(_ name: String) -> Bool

    /// The names of the existing databases with this beginning, sorted. Does not wait for the engine.
    func names(beginningWith prefix: String) -> [String]

    /// The bytes of the records of a database; 0 if it does not exist.
    func bytes(of name: String) async throws -> Int64

    /// Deletes a database, which nobody uses. Does nothing if it does not exist.
    func remove(_ name: String) async throws

    /// Binds the engine to an installation, unless it is bound already. Returns the installation to which it
    /// is bound; nil: to none.
    ///
    /// - Parameter installation: nil to ask only.
    func bind(to installation: Installation?) async throws -> Installation?

    /// The changes that other processes make to the databases. Only one task may iterate over them. A change
    /// comes after it was committed, and as often as it was told. Nothing comes if only one process can use
    /// the engine.
    var changes: AsyncStream<EngineChange> { get }

    /// The reason why the engine cannot be used now; nil if it can, as far as is known. Does not wait for the
    /// engine.
    var obstacle: RecordError? { get }

    /// Tells other processes that this one has written notifications in a database.
    ///
    /// - Parameters:
    ///   - number: the number before the first of them.
    ///   - last: the number of the last of them.
    func tellOfNotifications(after number: Int64, upTo last: Int64, in name: String) async throws

    /// Sends messages to the other processes, each of less than 7,900 bytes. Those that do not listen at this
    /// moment never get them.
    func tell(_ messages: [String]) async throws

    /// Closes all connections.
    func close() async
}

/// A change that another process made to the databases of an engine.
package enum EngineChange: Hashable, Sendable {
    /// Changes may have been missed.
    case missed
    /// A database was removed.
    case removed(String)
    /// Notifications were written in a database: those after a number, up to the last.
    case notifications(String, after: Int64, upTo: Int64)
    /// A message that another process has sent.
    case told(String)
}
