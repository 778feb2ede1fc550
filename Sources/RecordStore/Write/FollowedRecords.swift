package import Records
import Synchronization

/// The account of one batch for the records that it reads or changes beyond those that it names, because it
/// follows references and parents: the records of a cascade, refused ones included, and those that move
/// between shares.
///
/// A small request can follow very many records, and all writers of the database wait meanwhile. So the payer
/// needs a balance when a batch begins to follow records, and then pays for what the batch has followed, even
/// if that exceeds the balance. The account is charged on the writer, so requests at the same moment cannot
/// use one balance twice.
package final class FollowedRecords: Sendable {
    private let refusal: @Sendable () -> RecordError?
    private let charge: @Sendable (_ records: Int) -> Void
    private let isAdmitted = Mutex(false)

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

    /// Throws `tryAgainLater` if the payer has no balance. A batch that was admitted stays so, also if a store
    /// applies it again.
    func begin() throws(RecordError) {
        if isAdmitted.withLock({ $0 }) { return }
        if let refusal = refusal() { throw refusal }
        isAdmitted.withLock { $0 = true }
    }

    func pay(for records: Int) {
        if records > 0 { charge(records) }
    }
}
