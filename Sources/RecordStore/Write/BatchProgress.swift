import Records

/// What the operations of a batch have used up together so far.
struct BatchProgress {
    var cascade: Cascade
    /// Bytes of the fields of all saved records in the results.
    var answerBytes = 0
    /// Bytes of the fields of the server's records in conflicts.
    var conflictBytes = 0
    /// Whether the batch as a whole is refused, because a part of it would succeed.
    var isTooLarge = false
    /// Targets that have the maximum of delete-self references, and at which no reference could be made
    /// loose.
    var fullTargets: Set<String> = []
    /// The names of the records that the batch has saved.
    var saved: Set<String> = []
    /// The shares that ended because the batch deleted their root.
    var endedShares: Set<String> = []
    /// The records whose metadata changed after they were saved.
    var rewritten: Set<String> = []

    init(_ batch: WriteBatch) {
        cascade = Cascade(batch)
    }
}
