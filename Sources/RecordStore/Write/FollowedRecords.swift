package import Records
import Synchronization

/// Counts the records that one request reads or changes beyond those that it names, because it follows
/// references and parents, and charges the payer for them. These are the records of a cascade, refused ones
/// included, and the records that move between shares.
///
/// A small request can follow very many records, and all writers of the database wait meanwhile. So the payer
/// needs a positive balance when a batch begins to follow records, and is then charged for all followed
/// records, even if they exceed the balance. The writer charges the payer while it applies the batch, so
/// concurrent requests cannot use one balance twice.
///
/// A store may apply a batch several times: on trial, together with others in one commit, and again if one of
/// these is refused. The request pays once, for the run that has followed the most records.
package final class FollowedRecords: Sendable {
    private let refusal: @Sendable () -> RecordError?
    private let charge: @Sendable (_ records: Int) -> Void
    private let state = Mutex(State())

    private struct State {
        var isAdmitted = false
        /// The records that the present run has followed.
        var followed = 0
        /// The number of records for which the payer has been charged.
        var paid = 0
    }

    /// - Parameters:
    ///   - refusal: returns `tryAgainLater` if the payer has no balance.
    ///   - charge: takes records from the balance, which may leave a debt.
    package init(
        refusal: @escaping @Sendable () -> RecordError?,
        charge: @escaping @Sendable (_ records: Int) -> Void
    ) {
        self.refusal = refusal
        self.charge = charge
    }

    /// Throws `tryAgainLater` if the payer has no balance. A batch that was admitted stays so, also if a
    /// store applies it again.
    func begin() throws(RecordError) {
        if state.withLock({ $0.isAdmitted }) { return }
        if let refusal = refusal() { throw refusal }
        state.withLock { $0.isAdmitted = true }
    }

    /// Begins a run, when a store applies the batch for the first time or again.
    func beginRun() { state.withLock { $0.followed = 0 } }

    /// Pays for records that the present run has followed, unless an earlier run has paid for as many.
    func charge(_ records: Int) {
        let due = state.withLock { state in
            state.followed += records
            defer { state.paid = max(state.paid, state.followed) }
            return state.followed - state.paid
        }
        if due > 0 { charge(due) }
    }
}
