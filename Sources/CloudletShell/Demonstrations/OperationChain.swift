import Cloudlet
import Foundation

/// A queue in which each operation waits for the one before, and the rest goes when one fails.
///
/// ```swift
/// let chain = OperationChain(database: database, quality: .utility, timeout: 60)
/// let outcomes = await chain.run(["a", "b", "c"], cancelledAfter: 1)   // saved, cancelled, cancelled
/// ```
struct OperationChain: Sendable {
    let database: CKDatabase
    /// How urgent the work is: on a dead network, urgent work fails at once.
    let quality: QualityOfService
    /// Seconds for each round trip; what is usual if nothing.
    let timeout: TimeInterval?

    /// Saves a record for each identifier, and answers what became of each, in order.
    func run(
        _ ids: [String], cancelledAfter limit: Int?
    ) async -> [Result<Void, any Error>] {
        let links = ids.map(link)
        let rest = Rest(links)
        let ends = AsyncStream<(index: Int, result: Result<Void, any Error>)>.makeStream()
        for (index, link) in links.enumerated() {
            if index > 0 { link.addDependency(links[index - 1]) }
            link.modifyRecordsResultBlock = { result in
                // Before the next may begin, since this one has not ended yet.
                let failed = if case .failure = result { true } else { false }
                if failed || index + 1 == limit { rest.cancel(after: index) }
                ends.continuation.yield((index, result))
            }
        }
        let queue = OperationQueue()
        for link in links { queue.addOperation(link) }
        var outcomes: [Int: Result<Void, any Error>] = [:]
        await withTaskCancellationHandler {
            // A stream ends with the task that reads it; the operations end by themselves.
            for await end in ends.stream {
                outcomes[end.index] = end.result
                if outcomes.count == links.count { break }
            }
        } onCancel: {
            rest.cancel(after: -1)
        }
        return links.indices.compactMap { outcomes[$0] }
    }

    private func link(_ id: String) -> CKModifyRecordsOperation {
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

    /// The operations, for whoever cancels some.
    private struct Rest: Sendable {
        private let links: [CKModifyRecordsOperation]

        init(_ links: [CKModifyRecordsOperation]) { self.links = links }

        func cancel(after index: Int) {
            for link in links.dropFirst(index + 1) { link.cancel() }
        }
    }
}
