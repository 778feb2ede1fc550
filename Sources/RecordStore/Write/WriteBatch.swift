package import Records

/// Operations on the records of one zone, with the schema, limits and permissions to check them.
package struct WriteBatch: Sendable {
    /// Returns the error for an operation that is not allowed; nil allows it. The record is the one it would
    /// change, nil if there is none.
    package typealias Authorization = @Sendable (RecordOperation, StoredRecord?) -> RecordError?

    /// Returns whether a person may be notified about a record: its version after a save, or before a
    /// deletion.
    package typealias Audience = @Sendable (_ person: String, StoredRecord) -> Bool

    /// Returns whether a person may write records of a type that `creator` created.
    package typealias Ownership = @Sendable (_ person: String, _ type: String, _ creator: String) -> Bool

    /// Reserves memory for results with this many bytes of fields. Throws `tryAgainLater` if there is none.
    package typealias Reservation = @Sendable (_ bytes: Int) throws(RecordError) -> Void

    package var zone: String
    /// At most one operation for each record; each has a record name.
    package var operations: [RecordOperation]
    /// Whether one failed operation undoes the whole batch.
    package var isAtomic: Bool
    /// The person, time and device of the write.
    package var stamp: Stamp
    /// The record types of the operations, with their indexes.
    package var schema: Schema
    package var limits: Limits
    /// The limits for the bytes of the whole database; nil means no limit.
    package var quota: StoreQuota?
    package var authorize: Authorization
    /// Decides which subscribers are notified.
    package var mayNotify: Audience
    /// Decides whether a reference binds: it does if the person who saves it may write the target. nil if all
    /// records belong to one person; then every reference binds.
    package var mayWrite: Ownership?
    /// Called before the commit, and again if the batch is applied again. An error undoes the batch. nil if
    /// the memory for results is not counted.
    package var reserve: Reservation?
    /// Charges the caller for the records that the batch follows along references and parents; nil if they
    /// are not counted.
    package var followed: FollowedRecords?
    /// The person who writes to another person's records, under the rules of shares; nil: the owner of the
    /// database, or anybody in a public one.
    package var participant: String?
    /// The kind of asset URLs in the answer.
    package var addresses: AssetAddress { participant == nil ? .plain : .shared }
    /// The owner of the database; nil: the person of the stamp.
    package var owner: String?
    /// The token that the device gave the batch, and the names of its records that were refused before they
    /// reached the store.
    package var clientChange: ClientChange?
    /// Whether the answer has the zone's token.
    package var wantsToken = false
    /// Whether the batch is undone in any case, because only its results are wanted.
    package var isTrial = false

    package init(
        zone: String = ZoneID.defaultName,
        operations: [RecordOperation],
        isAtomic: Bool = false,
        stamp: Stamp,
        schema: Schema,
        limits: Limits = Limits(),
        quota: StoreQuota? = nil,
        authorize: @escaping Authorization = { _, _ in nil },
        mayNotify: @escaping Audience = { _, _ in true }
    ) {
        self.zone = zone
        self.operations = operations
        self.isAtomic = isAtomic
        self.stamp = stamp
        self.schema = schema
        self.limits = limits
        self.quota = quota
        self.authorize = authorize
        self.mayNotify = mayNotify
    }
}

extension WriteBatch {
    /// About how many bytes the batch writes.
    package var weight: Int {
        operations.reduce(0) { sum, operation in
            operation.fields.reduce(sum + 512) { $0 + $1.1.value.size }
        }
    }
}

/// The outcome of a batch.
package struct BatchAnswer: Hashable, Sendable {
    /// One for each operation, in order.
    package var results: [ItemResult]
    /// The zone's token after the batch, of the batch's own transaction: changes of others that are committed
    /// later follow it. nil if it was not wanted, and for the default zone.
    package var token: ChangeToken?

    package init(results: [ItemResult], token: ChangeToken? = nil) {
        self.results = results
        self.token = token
    }
}
