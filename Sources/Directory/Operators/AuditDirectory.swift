package import Records

/// Stores the audit log: the changes that operators made.
///
/// - Audit entries are listed newest first, in pages, all or those of one container.
/// - The audit log keeps the newest entries, up to its limit.
/// - An audit entry can be replaced or removed by its number.
/// - Audit entries stay when their container is removed.
package protocol AuditDirectory: Sendable {
    /// Adds an entry under the next number, and returns the number. Deletes the entries whose numbers are
    /// smaller by `limit` or more, so that at most `limit` entries remain.
    @discardableResult
    func addAuditEntry(_ entry: AuditEntry, limit: Int) async throws -> Int64

    /// Replaces the entry with this number, or removes it if `entry` is nil. Does nothing if the entry has
    /// been deleted.
    func replaceAuditEntry(_ number: Int64, by entry: AuditEntry?) async throws

    /// The newest entries whose numbers are lower than `number`, at most `limit`.
    ///
    /// - Parameters:
    ///   - container: the only container whose entries to return; nil: all entries.
    ///   - number: nil begins with the newest entry.
    func auditEntries(of container: String?, before number: Int64?, limit: Int) async throws -> [AuditEntry]
}
