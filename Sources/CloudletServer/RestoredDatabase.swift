/// A PostgreSQL database with the data of a server that was set back to an earlier point in time: restored by
/// the engine's own means, or a standby that was promoted without the last commits.
///
/// ```swift
/// let restored = try await RestoredDatabase.beginEpoch(at: "postgresql://cloudlet@db/cloudlet")
/// ```
public struct RestoredDatabase: Hashable, Sendable {
    /// The number of databases of records.
    public let databases: Int
    /// The number of sessions that were ended.
    public let sessions: Int

    /// Begins a new epoch, because devices have seen changes that are lost: their change tokens expire, so
    /// that they fetch everything again, and no change tag that they hold is assigned a second time. All
    /// people are signed out, because some sessions may have been ended after the point in time.
    ///
    /// It needs PostgreSQL's library libpq. Calling it again begins another epoch.
    ///
    /// - Parameter address: A connection string of libpq.
    /// - Throws: `ServerError` if the database cannot be used, if a node or another program uses it, or if it
    ///   does not have the data of a server.
    public static func beginEpoch(at address: String) async throws -> RestoredDatabase {
        try await DatabaseEngines.beginEpoch(at: address)
    }
}
