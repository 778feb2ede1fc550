package import Records
import Synchronization

/// A change by an operator while it is made. The audit log has it from before it begins, so that a server
/// that is killed meanwhile loses no entry.
package final class AuditedChange: Sendable {
    private let service: OperatorService
    private let intent: AuditEntry
    /// The number of the entry that says that a step of the change has begun; nil after its outcome has
    /// replaced it.
    private let pending: Mutex<Int64?>

    /// What the log says after a change that has begun, until its outcome replaces it.
    package static let begun = "begun; the outcome is not known"

    fileprivate init(_ service: OperatorService, _ intent: AuditEntry, number: Int64) {
        self.service = service
        self.intent = intent
        pending = Mutex(number)
    }

    /// Begins another step, of which the log then knows before it is made. The first step has begun already.
    package func beginStep() async throws {
        if pending.withLock({ $0 != nil }) { return }
        let number = try await service.log(intent)
        pending.withLock { $0 = number }
    }

    /// Logs what was changed. The outcome of a step replaces the entry that says that it has begun.
    package func log(_ outcome: AuditEntry) async throws {
        guard let number = take() else {
            _ = try await service.log(outcome)
            return
        }
        try await service.replace(number, by: outcome)
    }

    /// Ends a change after its work: one without an outcome has changed nothing.
    fileprivate func succeed() async throws {
        if let number = take() { try await service.replace(number, by: nil) }
    }

    /// Ends a change that has failed. One that was refused has changed nothing.
    fileprivate func fail(_ error: any Error) async throws {
        guard let number = take() else { return }
        let known = RecordError(unexpected: error)
        if Self.refusals.contains(known.code) { return try await service.replace(number, by: nil) }
        var entry = intent
        entry.after = "failed, perhaps in part: \(known.reason)"
        try await service.replace(number, by: entry)
    }

    private func take() -> Int64? {
        pending.withLock { number in
            defer { number = nil }
            return number
        }
    }

    /// The errors of the checks before a change.
    private static let refusals: Set<RecordError.Code> = [
        .badRequest, .badContainer, .badDatabase, .notFound, .exists, .conflict, .accessDenied,
        .authenticationFailed, .authenticationRequired, .throttled,
    ]
}

extension OperatorService {
    /// Makes a change of which the audit log knows before, and says the outcome after.
    ///
    /// - Parameter intent: who is about to change what. Its `after` is set here.
    package func change<Result>(
        _ intent: AuditEntry, _ work: (AuditedChange) async throws -> Result
    ) async throws -> Result {
        var intent = intent
        intent.after = AuditedChange.begun
        let change = AuditedChange(self, intent, number: try await log(intent))
        do {
            let result = try await work(change)
            try await change.succeed()
            return result
        } catch {
            try await change.fail(error)
            throw error
        }
    }
}
