import Cloudlet
import Foundation
import LocalReplica

/// Fetches the records of which a file is missing here, for their files. What else is new of them comes with
/// the feed of their zone.
struct MissingFiles {
    /// The names of the records of which a file did not come, in their order.
    private(set) var lost: [String] = []
    /// Why one did not come, if it was not that the server does not have it.
    private(set) var problem: (any Error)?

    init(of replica: LocalReplica, from database: CKDatabase) async throws {
        let missing = try await replica.recordsWithMissingFiles()
        for start in stride(from: 0, to: missing.count, by: 50) {
            let ids = missing[start..<min(start + 50, missing.count)].map(\.recordID)
            for (id, result) in try await database.records(for: ids) {
                let files = (try? result.evenWithoutFiles())?.contents.files ?? [:]
                for file in files.values { _ = try replica.keepFile(at: file) }
                guard case .failure(let error) = result, Verdict(error) != .recordGone else { continue }
                lost.append(id.recordName)
                if (error as? CKError)?.code != .assetNotAvailable { problem = problem ?? error }
            }
        }
        lost.sort()
    }
}
