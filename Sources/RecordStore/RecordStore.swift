// Owns the promise that every store keeps.

package import Records

/// One database: records in zones, kept with their bytes as given, changed in transactions, asked by index.
///
/// What follows is promised by every store and checked by the contract suite, sentence by sentence:
///
/// - A commit is applied in one transaction; when it returns, its changes are on disk.
/// - Each change takes the next number of the database's sequence inside its transaction: commit order is
///   token order, and a record's change tag is its number.
/// - A database's time never runs backwards: a stamp earlier than the last one is raised to it.
/// - An atomic batch with one bad operation changes nothing; every bad operation gets its own error and every
///   other one `atomicFailure`. A batch that is not atomic applies what it can.
/// - A created record keeps its creation stamp and its place in the order of creation for life.
/// - `records` answers in the order asked, nil for what is not there.
/// - A query answers in a total order; its cursor goes on exactly after the last record, whatever was written
///   in between, and means the same after a restart.
/// - A record without a field matches no condition on that field.
/// - Deleting a record deletes what refers to it with delete-self, and so on down, in the same transaction.
/// - A feed lists each changed record once, in its latest state, oldest change first, deletions included.
/// - The feed of zones lists each custom zone once, changed or gone, oldest change first.
/// - A deletion is told until it is forgotten; a token that has not seen a forgotten one is expired.
/// - Files that no record refers to any more are listed as released until they are said to be collected.
///
/// All methods throw `RecordError`.
package protocol RecordStore: Sendable {
    /// Applies the operations of a batch to one zone.
    func commit(_ batch: WriteBatch) async throws -> [ItemResult]

    /// The records of those names in a zone. Throws `zoneNotFound`.
    func records(named names: [String], in zone: String) async throws -> [StoredRecord?]

    /// A page of the records that a plan asks for. Throws `zoneNotFound`.
    func query(_ plan: QueryPlan) async throws -> QueryPage

    /// All zones, the default zone first, the others by name.
    func zones() async throws -> [Zone]

    /// Creates a zone; one that exists is returned as it is.
    func createZone(named name: String) async throws -> Zone

    /// Deletes a zone with all its records, for a reason that its followers are told. Throws `zoneNotFound`.
    func deleteZone(named name: String, reason: ZoneDeletionReason, at time: Timestamp) async throws

    /// A page of the custom zones that changed or went since a token. Throws as `changes` does.
    func zoneChanges(since token: ChangeToken?, limit: Int) async throws -> ZoneChangesPage

    /// Forgets deletions that are older than a time: tokens that have not seen them are refused from then on.
    func forgetDeletions(before time: Timestamp) async throws

    /// A page of a zone's changes. Throws `zoneNotFound`, and `badRequest` or `changeTokenExpired` for the
    /// token.
    func changes(_ request: ChangesRequest) async throws -> ChangesPage

    /// Whether a record refers to the file of this checksum.
    func usesAsset(_ fileChecksum: String) async throws -> Bool

    /// Checksums of files that lost an owner and may have none, at most `limit`.
    func releasedAssets(limit: Int) async throws -> [String]

    /// Forgets that these files were released: they are collected, or owned again.
    func forgetReleasedAssets(_ fileChecksums: [String]) async throws

    /// Ends the use of the store; what was acknowledged stays.
    func close() async throws
}

extension RecordStore {
    /// Deletes a zone with all its records, at the time of the last change. Throws `zoneNotFound`.
    package func deleteZone(named name: String) async throws {
        try await deleteZone(named: name, reason: .deleted, at: Timestamp(milliseconds: .min))
    }
}
