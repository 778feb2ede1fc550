import Records

/// The state of a batch while its operations are applied one after the other: sums for its limits, and the
/// records and shares that it has changed.
struct BatchProgress {
    var cascade: Cascade
    /// Whether the batch as a whole is refused.
    var mustStop: Bool { isTooLarge || cascade.isThrottled }
    /// Bytes of the fields of all saved records in the results.
    var answerBytes = 0
    /// Bytes of the fields of the server's records in conflicts.
    var conflictBytes = 0
    /// Whether the batch has exceeded a limit for which it is refused as a whole, so that the client sends it
    /// in halves.
    var isTooLarge = false
    /// Targets that have the maximum number of delete-self references, and at which no reference could be
    /// made loose.
    var fullTargets: Set<String> = []
    /// Targets that have the maximum number of loose delete-self references. The time of the check is
    /// proportional to the maximum, so its result is kept.
    var fullLooseTargets: Set<String> = []
    /// The number of sources of each binding to which the batch has added some; possibly too high, because
    /// sources that the batch removes are not subtracted.
    private var sourceCounts: [Binding: Int] = [:]
    /// The names of the records that the batch has saved.
    var saved: Set<String> = []
    /// The shares that ended because the batch deleted their root.
    var endedShares: Set<String> = []
    /// The records whose metadata changed after they were saved.
    var rewritten: Set<String> = []

    init(_ batch: WriteBatch) {
        cascade = Cascade(batch)
    }

    /// Whether one more record may have a binding, and counts it if so. The sources are counted once for the
    /// batch, and again when the limit seems to be reached.
    mutating func admitsSource<T: ZoneTransaction>(
        of binding: Binding, upTo limit: Int, in transaction: T
    ) throws -> Bool {
        var count = sourceCounts[binding] ?? limit
        if count >= limit {
            count = try transaction.sourceCount(of: binding.target, kind: binding.kind, upTo: limit)
        }
        guard count < limit else { return false }
        sourceCounts[binding] = count + 1
        return true
    }

    /// Counts records that come under a share or leave one, against the limit of the batch and the rate of
    /// the caller. If there are too many, the batch is refused as a whole.
    mutating func spendMoves(_ count: Int, on name: String) throws(RecordError) {
        try cascade.checkBalance()
        cascade.followed += count
        cascade.payForFollowed()
        do throws(RecordError) {
            try cascade.budget.spendMoves(count, on: name, next: BatchRules.splitBatch)
        } catch {
            isTooLarge = true
            throw error
        }
    }
}
