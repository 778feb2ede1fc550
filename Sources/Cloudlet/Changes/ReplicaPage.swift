package import Records

/// A page of a zone's changes for a replica.
package struct ReplicaPage: Sendable {
    /// Records by name.
    package var plain: [String: PlainRecord]
    /// Records that cannot be plain, and the errors of others.
    package var others: [CKRecord.ID: Result<CKRecord, any Error>]
    /// The names of the records that were deleted.
    package var deletions: [String]
    /// The position after this page.
    package var changeToken: CKServerChangeToken
    /// Whether the server has more changes.
    package var moreComing: Bool
    /// The last batch of this device that the server applied; nil if the server does not report it.
    package var lastBatch: ClientChange?

    /// Whether the page has no changes.
    package var isEmpty: Bool { plain.isEmpty && others.isEmpty && deletions.isEmpty }
}
