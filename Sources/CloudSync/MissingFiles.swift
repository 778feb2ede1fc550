import Cloudlet
import Foundation
import LocalReplica
import Records

/// Fetches by name what the changes of the zones did not bring: files that are missing on this device, and
/// records for which the server had an error. It ignores other changes of records with missing files, which
/// come with the changes of their zone.
struct MissingFiles {
    /// The sorted names of the records with a file that could not be fetched.
    private(set) var lost: [String] = []
    /// The sorted names of the records that could not be fetched.
    private(set) var failed: [String] = []
    /// The records that the server can give now.
    private(set) var versions: [ServerVersion] = []
    /// The records that were deleted meanwhile.
    private(set) var gone: [RecordID] = []
    /// The first error, except for files that the server does not have.
    private(set) var problem: (any Error)?

    init(of replica: LocalReplica, from database: CKDatabase) async throws {
        let unfetched = Set(try await replica.read { try $0.unfetched() })
        let missing = Array(unfetched.union(try await replica.recordsWithMissingFiles())).sorted {
            ($0.zone.name, $0.name) < ($1.zone.name, $1.name)
        }
        for start in stride(from: 0, to: missing.count, by: 50) {
            let ids = missing[start..<min(start + 50, missing.count)].map(\.recordID)
            for (recordID, result) in try await database.records(for: ids) {
                let id = RecordID(name: recordID.recordName, zone: recordID.zoneID.zoneName)
                if unfetched.contains(id) {
                    try add(result, of: id, to: replica)
                    continue
                }
                let files = (try? result.evenWithoutFiles())?.contents.files ?? [:]
                for file in files.values { _ = try replica.keepFile(at: file) }
                guard case .failure(let error) = result, Verdict(error) != .recordGone else { continue }
                lost.append(id.name)
                if (error as? CKError)?.code != .assetNotAvailable { problem = problem ?? error }
            }
        }
        lost.sort()
        failed.sort()
    }

    /// Adds the result for a record that the feed did not contain.
    private mutating func add(
        _ result: Result<CKRecord, any Error>, of id: RecordID, to replica: LocalReplica
    ) throws {
        do {
            let version = try replica.keep(result.evenWithoutFiles())
            versions.append(version)
            if replica.lacksFiles(of: version.fields) { lost.append(id.name) }
        } catch let error as CKError {
            switch Verdict(error) {
            case .stop: throw error
            case .recordGone, .zoneGone, .zonePurged: gone.append(id)
            default: failed.append(id.name)
            }
        }
    }
}
