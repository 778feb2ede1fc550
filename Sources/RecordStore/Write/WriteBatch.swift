package import Records

/// Operations on the records of one zone, with everything a store needs to judge them.
package struct WriteBatch: Sendable {
    /// Decides whether an operation is allowed, given the record it would change; nil means yes.
    package typealias Authorization = @Sendable (RecordOperation, StoredRecord?) -> RecordError?

    /// Decides whether somebody may hear of a record as it is, or was before it was deleted.
    package typealias Audience = @Sendable (_ person: String, StoredRecord) -> Bool

    /// Decides whether a person may write records of a type that somebody created.
    package typealias Ownership = @Sendable (_ person: String, _ type: String, _ creator: String) -> Bool

    package var zone: String
    /// Every operation names its record, each record once.
    package var operations: [RecordOperation]
    /// Whether one bad operation undoes all.
    package var isAtomic: Bool
    /// Who writes, when, from which device.
    package var stamp: Stamp
    /// The types that the operations use, as the stores index them.
    package var schema: Schema
    package var limits: Limits
    /// What the whole database may take up.
    package var quota: StoreQuota?
    package var authorize: Authorization
    /// Who of the subscribers is told.
    package var mayBeTold: Audience
    /// Tells whose references bind a record: those that people save who may write it. nil where all
    /// records are one person's, and every reference binds.
    package var mayWrite: Ownership?
    /// What the device of the stamp calls the batch, and what of it does not reach the store.
    package var name: ClientChange?
    /// Whether the answer has the zone's token.
    package var wantsToken = false

    package init(
        zone: String = ZoneID.defaultName,
        operations: [RecordOperation],
        isAtomic: Bool = false,
        stamp: Stamp,
        schema: Schema,
        limits: Limits = Limits(),
        quota: StoreQuota? = nil,
        authorize: @escaping Authorization = { _, _ in nil },
        mayBeTold: @escaping Audience = { _, _ in true }
    ) {
        self.zone = zone
        self.operations = operations
        self.isAtomic = isAtomic
        self.stamp = stamp
        self.schema = schema
        self.limits = limits
        self.quota = quota
        self.authorize = authorize
        self.mayBeTold = mayBeTold
    }
}

/// What became of a batch.
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
