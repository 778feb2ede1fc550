import GRDB
import Records

// For a new start with a server that does not have the replica's data.
extension ReplicaWriter {
    /// Marks all records as new and pending, and clears the account: the data then belongs to the person who
    /// is signed in at the next sync.
    ///
    /// Closed zones are in use again, and refused edits are sent again. Pending deletions are dropped,
    /// because the server does not have the records. Shares are removed, because only the server has their
    /// participants and URLs.
    ///
    /// - Returns: The number of removed shares.
    @discardableResult
    public func resendAllRecords() throws -> Int {
        let shares =
            try Int.fetchOne(
                database, sql: "SELECT COUNT(*) FROM record WHERE type = ? AND fields IS NOT NULL",
                arguments: [Share.recordType]) ?? 0
        for zone in try reader.zones() { try markReset(zone.id) }
        try database.execute(sql: "UPDATE zone SET is_purged = 0, is_gone = 0")
        try database.execute(sql: "UPDATE outbox SET refusal = NULL")
        try forgetServer()
        return shares
    }

    /// Deletes all records, zones, edits and conflicts, and clears the account. The names of encrypted fields
    /// stay. Files are deleted by `LocalReplica.removeUnusedFiles()`.
    public func deleteLocalData() throws {
        for table in ["outbox", "record", "unseen", "unfetched", "conflict", "zone"] {
            try database.execute(sql: "DELETE FROM \(table)")
        }
        try forgetServer()
    }

    private func forgetServer() throws {
        try database.execute(
            sql: "UPDATE replica SET account = NULL, scope = NULL, token = NULL, is_subscribed = 0")
    }
}
