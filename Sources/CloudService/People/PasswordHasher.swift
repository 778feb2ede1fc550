import Dispatch
import Records
import Synchronization

/// Hashes passwords one after the other and refuses requests when too many wait: hashing is slow on
/// purpose, and must not become a way to exhaust the server.
final class PasswordHasher: Sendable {
    let cost: PasswordCost
    private let queue = DispatchQueue(label: "cloudlet.passwords", qos: .utility)
    private let waiting = Mutex(0)
    private static let mostWaiting = 32

    init(cost: PasswordCost) {
        self.cost = cost
    }

    /// What to keep of a new password.
    func hash(_ password: String, salt: [UInt8]) async throws -> PasswordHash {
        let cost = cost
        return try await work { try PasswordHash(of: password, salt: salt, cost: cost) }
    }

    /// Whether a password fits a hash. Without a hash the answer is no, and takes as long.
    func check(_ password: String, against hash: PasswordHash?) async throws -> Bool {
        let cost = cost
        return try await work {
            if let hash { return try hash.fits(password) }
            _ = try PasswordHash(of: password, salt: [UInt8](repeating: 0, count: 16), cost: cost)
            return false
        }
    }

    private func work<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        let isFull = waiting.withLock { waiting in
            if waiting >= Self.mostWaiting { return true }
            waiting += 1
            return false
        }
        if isFull {
            throw RecordError(
                .tryAgainLater, "too many people sign in at once", nextStep: "try again in a moment",
                retryAfter: 5
            )
        }
        defer { waiting.withLock { $0 -= 1 } }
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }
}
