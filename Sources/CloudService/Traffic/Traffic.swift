package import Records
import Synchronization

/// The bytes of requests that are being received, and of answers that are being sent, over all connections.
///
/// Small heads, small bodies that arrive in one piece and short answers are not counted.
package final class Traffic: Sendable {
    package let receiving: ByteAccount
    package let sending: ByteAccount

    package init(_ limits: Limits) {
        receiving = ByteAccount(
            ByteBudget(total: limits.receivingBytes, largest: limits.requestBytes),
            refusal: RecordError(
                .tryAgainLater, "the server is receiving as much as it can", culprit: "body",
                nextStep: "send the same request again after some seconds, and fewer at the same time",
                retryAfter: 5))
        sending = ByteAccount(
            ByteBudget(total: limits.sendingBytes, largest: 1),
            refusal: RecordError(
                .tryAgainLater, "the server is sending as much as it can", culprit: "answer",
                nextStep: "read the pending responses, then send the same request again",
                retryAfter: 5))
    }
}

/// A byte budget that all requests share.
package final class ByteAccount: Sendable {
    private let budget: Mutex<ByteBudget>
    /// The budget's used bytes, readable without the lock.
    private let used = Atomic(0)
    private let share: Int
    private let refusal: RecordError

    init(_ budget: ByteBudget, refusal: RecordError) {
        share = budget.share
        self.refusal = refusal
        self.budget = Mutex(budget)
    }

    /// Bytes held by all payers together.
    package var bytes: Int { used.load(ordering: .relaxed) }

    /// Throws `tryAgainLater` when one of the payers may hold no more bytes. Takes no lock while all payers
    /// together hold less than the share of one.
    package func checkRoom(for payers: @autoclosure () -> [BytePayer]) throws(RecordError) {
        if used.load(ordering: .relaxed) < share { return }
        if !budget.withLock({ $0.hasRoom(for: payers()) }) { throw refusal }
    }

    /// Takes bytes until the lease is released. Throws `tryAgainLater` if they do not fit.
    package func lease(_ bytes: Int, for payers: [BytePayer]) throws(RecordError) -> ByteLease {
        let lease = ByteLease(self, payers)
        try lease.grow(by: bytes)
        return lease
    }

    /// An empty lease, which can grow.
    package func lease(for payers: [BytePayer]) -> ByteLease { ByteLease(self, payers) }

    fileprivate func take(_ bytes: Int, for payers: [BytePayer]) throws(RecordError) {
        let isTaken = budget.withLock { budget in
            let isTaken = budget.take(bytes, for: payers)
            used.store(budget.used, ordering: .relaxed)
            return isTaken
        }
        if !isTaken { throw refusal }
    }

    fileprivate func giveBack(_ bytes: Int, for payers: [BytePayer]) {
        budget.withLock { budget in
            budget.giveBack(bytes, for: payers)
            used.store(budget.used, ordering: .relaxed)
        }
    }
}

/// Bytes held by payers. They are returned when the lease is deallocated.
package final class ByteLease: Sendable {
    private let account: ByteAccount
    private let payers: [BytePayer]
    private let bytes = Atomic(0)

    fileprivate init(_ account: ByteAccount, _ payers: [BytePayer]) {
        self.account = account
        self.payers = payers
    }

    deinit {
        let held = bytes.load(ordering: .relaxed)
        if held > 0 { account.giveBack(held, for: payers) }
    }

    /// Takes more bytes. If they do not fit, throws `tryAgainLater` and keeps the bytes it has.
    package func grow(by more: Int) throws(RecordError) {
        try account.take(more, for: payers)
        bytes.add(more, ordering: .relaxed)
    }

    /// Takes or returns bytes so that the lease holds `count`. Throws as `grow` does.
    package func resize(to count: Int) throws(RecordError) {
        let more = count - bytes.load(ordering: .relaxed)
        if more > 0 { return try grow(by: more) }
        account.giveBack(-more, for: payers)
        bytes.add(more, ordering: .relaxed)
    }
}
