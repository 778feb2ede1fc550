import Cloudlet
import Foundation
import LocalReplica

/// Fetches the records with files that are missing on this device, to get these files. It ignores other
/// changes of the records, which come with the changes of their zone.
struct MissingFiles {
    /// The sorted names of the records with a file that could not be fetched.
    private(set) var lost: [String] = []
    /// The first error, except for files that the server does not have.
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
