import Records

/// What the operations of a batch have used up together so far.
struct BatchProgress {
    var cascade: Cascade
    /// Whether the batch as a whole is refused.
    var mustStop: Bool { isTooLarge || cascade.isThrottled }
    /// Bytes of the fields of all saved records in the results.
    var answerBytes = 0
    /// Bytes of the fields of the server's records in conflicts.
    var conflictBytes = 0
    /// Whether the batch as a whole is refused, because a part of it would succeed.
    var isTooLarge = false
    /// Targets that have the maximum of delete-self references, and at which no reference could be made
    /// loose.
    var fullTargets: Set<String> = []
    /// Targets that have the maximum of loose delete-self references. To find that out takes as long as the
    /// maximum is large, so it is remembered.
    var fullLooseTargets: Set<String> = []
    /// The names of the records that the batch has saved.
    var saved: Set<String> = []
    /// The shares that ended because the batch deleted their root.
    var endedShares: Set<String> = []
    /// The records whose metadata changed after they were saved.
    var rewritten: Set<String> = []

    init(_ batch: WriteBatch) {
        cascade = Cascade(batch)
    }

    /// Spends records that are put under a share or taken out of one, and pays for them. If there are too
    /// many, the batch is refused as a whole.
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
