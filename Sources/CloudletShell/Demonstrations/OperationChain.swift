import Cloudlet
import Foundation
import Synchronization

/// Runs operations that depend on each other in sequence: each starts after the previous one, and when one
/// fails, the rest is cancelled.
///
/// ```swift
/// let chain = OperationChain(database: database, quality: .utility, timeout: 60)
/// let outcomes = await chain.run(["a", "b", "c"], cancelledAfter: 1)   // saved, cancelled, cancelled
/// ```
struct OperationChain: Sendable {
    let database: CKDatabase
    /// The priority of the operations. Without a network, operations of high priority fail at once.
    let quality: QualityOfService
    /// The time limit of each request with its retries, in seconds; nil for the default.
    let timeout: TimeInterval?

    /// Saves a record for each identifier, and returns the outcomes in order.
    func run(
        _ ids: [String], cancelledAfter limit: Int?
    ) async -> [Result<Void, any Error>] {
        let saves = ids.map(save)
        let operations = Operations(saves)
        let ends = AsyncStream<(index: Int, result: Result<Void, any Error>)>.makeStream()
        for (index, save) in saves.enumerated() {
            if index > 0 { save.addDependency(saves[index - 1]) }
            let refusal = Refusal()
            save.perRecordSaveBlock = { _, result in
                if case .failure(let error) = result { refusal.store(error) }
            }
            save.modifyRecordsResultBlock = { batch in
                // A batch that is not atomic succeeds even if the server refused one of its records.
                let result = batch.flatMap { _ in refusal.result }
                // The next operation cannot have begun yet, because this one has not ended.
                let failed = if case .failure = result { true } else { false }
                if failed || index + 1 == limit { operations.cancel(after: index) }
                ends.continuation.yield((index, result))
            }
        }
        let queue = OperationQueue()
        for save in saves { queue.addOperation(save) }
        var outcomes: [Int: Result<Void, any Error>] = [:]
        await withTaskCancellationHandler {
            // The stream ends when the reading task is cancelled, but the operations continue by themselves.
            for await end in ends.stream {
                outcomes[end.index] = end.result
                if outcomes.count == saves.count { break }
            }
        } onCancel: {
            operations.cancel(after: -1)
        }
        return saves.indices.compactMap { outcomes[$0] }
    }

    private func save(_ id: String) -> CKModifyRecordsOperation {
        let record = CKRecord(
            recordType: ConfettiRepository.recordType, recordID: CKRecord.ID(recordName: id))
        record["number"] = 1
        let operation = CKModifyRecordsOperation(recordsToSave: [record], recordIDsToDelete: nil)
        let configuration = CKOperation.Configuration()
        configuration.qualityOfService = quality
        if let timeout { configuration.timeoutIntervalForResource = timeout }
        operation.configuration = configuration
        operation.database = database
        return operation
    }

    /// The error of the operation's record, if the server refused it.
    private final class Refusal: Sendable {
        private let error = Mutex<(any Error)?>(nil)

        var result: Result<Void, any Error> {
            if let error = error.withLock({ $0 }) { .failure(error) } else { .success(()) }
        }

        func store(_ refusal: any Error) { error.withLock { $0 = refusal } }
    }

    /// The operations of a chain, for cancelling the later ones.
    private struct Operations: Sendable {
        private let saves: [CKModifyRecordsOperation]

        init(_ saves: [CKModifyRecordsOperation]) { self.saves = saves }

        func cancel(after index: Int) {
            for save in saves.dropFirst(index + 1) { save.cancel() }
        }
    }
}
