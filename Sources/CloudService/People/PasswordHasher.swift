import Dispatch
import RecordStore
import Records

/// Hashes passwords one at a time: hashing is slow on purpose, and must not allow clients to exhaust the
/// server.
///
/// Network addresses take turns, and each may have a few requests waiting. The total of waiting requests is
/// not limited, because a few clients could reach such a limit and keep everybody else from signing in.
final class PasswordHasher: Sendable {
    /// The address or account that a request counts against. The queue serves them in turn.
    enum Payer: Hashable, Sendable {
        /// Sign-ins from a network address; nil for callers in this process.
        case address(String?)
        /// The account whose password is set, by its ID.
        case account(String)
    }

    let cost: PasswordCost
    private let queue: DispatchQueue
    private let turns: FairTurns<Payer>

    /// Maximal number of waiting requests of one payer.
    static let waitingPerPayer = 16

    init(
        cost: PasswordCost, queue: DispatchQueue = DispatchQueue(label: "cloudlet.passwords", qos: .utility)
    ) {
        self.cost = cost
        self.queue = queue
        turns = FairTurns(places: 1, share: 1, waitingPerPayer: Self.waitingPerPayer)
    }

    /// Hashes a new password.
    ///
    /// Throws `tryAgainLater` when too many requests of the payer wait.
    func hash(_ password: String, salt: [UInt8], for payer: Payer) async throws -> PasswordHash {
        let cost = cost
        return try await work(for: payer) { try PasswordHash(of: password, salt: salt, cost: cost) }
    }

    /// Whether a password matches a hash. For a nil hash, returns false after the same time.
    ///
    /// Throws `tryAgainLater` when too many requests of the payer wait.
    func check(_ password: String, against hash: PasswordHash?, for payer: Payer) async throws -> Bool {
        let cost = cost
        return try await work(for: payer) {
            if let hash { return try hash.matches(password) }
            _ = try PasswordHash(of: password, salt: [UInt8](repeating: 0, count: 16), cost: cost)
            return false
        }
    }

    private func work<Value: Sendable>(
        for payer: Payer, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await turns.run(for: payer, refusal: Self.refusal) {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { continuation.resume(with: Result { try body() }) }
            }
        }
    }

    private static var refusal: RecordError {
        RecordError(
            .tryAgainLater, "too many sign-ins or password changes are waiting",
            nextStep: "try again in a moment", retryAfter: 5
        )
    }
}
