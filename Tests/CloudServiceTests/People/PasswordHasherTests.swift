import Dispatch
import Records
import Testing

@testable import CloudService

@Suite("Hashing passwords", .timeLimit(.minutes(30)))
struct PasswordHasherTests {
    @Test("Endless sign-ins from two addresses do not block a third address")
    func turns() async throws {
        // Hashes nothing until it is activated.
        let queue = DispatchQueue(label: "passwords", attributes: .initiallyInactive)
        let hasher = PasswordHasher(cost: PasswordCost(logRounds: 4), queue: queue)
        let attempts = 40
        try await withThrowingTaskGroup(of: RecordError?.self) { group in
            for number in 0..<2 * attempts {
                group.addTask { try await Self.refusal(by: hasher, from: "192.0.2.\(number % 2)") }
            }
            // One attempt is being hashed, and `waitingPerPayer` attempts of each address wait.
            let refused = 2 * attempts - 1 - 2 * PasswordHasher.waitingPerPayer
            for _ in 0..<refused {
                let refusal = try await group.next() ?? nil
                #expect(refusal?.code == .tryAgainLater)
                #expect(refusal?.retryAfter == 5)
            }
            group.addTask { try await Self.refusal(by: hasher, from: "192.0.2.7") }
            queue.activate()
            for try await refusal in group { #expect(refusal == nil) }
        }
    }

    /// The error for an attempt; nil when its password was checked.
    private static func refusal(
        by hasher: PasswordHasher, from address: String
    ) async throws -> RecordError? {
        do {
            _ = try await hasher.check("password", against: nil, for: .address(address))
            return nil
        } catch let error as RecordError {
            return error
        }
    }
}
