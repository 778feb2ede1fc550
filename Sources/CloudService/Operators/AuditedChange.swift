package import Records
import Synchronization

/// An operator's change in progress. Its entry is in the audit log before the change begins, so that the log
/// is complete even if the server is killed meanwhile.
package final class AuditedChange: Sendable {
    private let service: OperatorService
    private let intent: AuditEntry
    /// The number of the entry that says that a step of the change has begun; nil after its outcome has
    /// replaced it.
    private let pending: Mutex<Int64?>

    /// The `after` of an entry until the outcome replaces the entry.
    package static let begun = "begun; the outcome is not known"

    fileprivate init(_ service: OperatorService, _ intent: AuditEntry, number: Int64) {
        self.service = service
        self.intent = intent
        pending = Mutex(number)
    }

    /// Adds an entry for another step to the log before the step is made. Does nothing while the entry of the
    /// previous step has no outcome, as at the first step.
    package func beginStep() async throws {
        if pending.withLock({ $0 != nil }) { return }
        let number = try await service.log(intent)
        pending.withLock { $0 = number }
    }

    /// Logs the outcome of a step, in place of the entry for its beginning.
    package func log(_ outcome: AuditEntry) async throws {
        guard let number = take() else {
            _ = try await service.log(outcome)
            return
        }
        try await service.replace(number, by: outcome)
    }

    /// Ends a successful change. A step without an outcome has changed nothing, so its entry is removed.
    fileprivate func succeed() async throws {
        if let number = take() { try await service.replace(number, by: nil) }
    }

    /// Ends a failed change. A refused one has changed nothing, so its entry is removed.
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

    /// The codes with which checks refuse a change before it is made.
    private static let refusals: Set<RecordError.Code> = [
        .badRequest, .badContainer, .badDatabase, .notFound, .exists, .conflict, .accessDenied,
        .authenticationFailed, .authenticationRequired, .throttled,
    ]
}

extension OperatorService {
    /// Adds an entry to the audit log, makes the change, and then replaces the entry by the outcome.
    ///
    /// - Parameters:
    ///   - intent: the entry before the change. Its `after` is set here.
    ///   - isDeletion: whether the change frees space on the disk. On a full disk, already the entry needs
    ///     the room that is kept for deletions.
    package func change<Result>(
        _ intent: AuditEntry, isDeletion: Bool = false, _ work: (AuditedChange) async throws -> Result
    ) async throws -> Result {
        if isDeletion { context.provider.makeRoomForDeletion() }
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
