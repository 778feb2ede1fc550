import Records

/// What the operations of a batch have used up so far, all of them together.
struct BatchProgress {
    var cascade: Cascade
    /// Bytes of the fields of the records that the answer carries.
    var answerBytes = 0
    /// Targets of delete-self references for which no room could be made.
    var fullTargets: Set<String> = []

    init(_ batch: WriteBatch) {
        cascade = Cascade(batch)
    }
}
