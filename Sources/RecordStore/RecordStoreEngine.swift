package import Records

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

    /// Binds the engine to one data folder, because only that folder has the accounts of the people in the
    /// databases. Returns the identifier of the folder to which the engine is bound now: this one, or one
    /// that was bound earlier.
    ///
    /// - Parameter folder: the identifier of the folder; nil to ask only.
    func bind(to folder: String?) async throws -> String?

    /// Closes all connections.
    func close() async
}
