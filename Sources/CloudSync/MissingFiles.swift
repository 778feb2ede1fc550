import Cloudlet
import Foundation
import LocalReplica
import Records

/// Fetches by name the files that are missing on this device, and the records for which a change feed had an
/// error. Of a record with missing files only the files are stored; the change feed of its zone brings other
/// changes.
///
/// A file is not downloaded if the replica has it. The files are downloaded and stored in small groups, so
/// that an interruption loses at most one group.
struct MissingFiles {
    /// The sorted names of the records with a file that could not be fetched.
    private(set) var lost: [String] = []
    /// The sorted names of the records that could not be fetched.
    private(set) var failed: [String] = []
    /// The versions of records for which the change feed had an error, as the server returned them now.
    private(set) var versions: [ServerVersion] = []
    /// The records that were deleted meanwhile.
    private(set) var gone: [RecordID] = []
    /// Whether the step ended early for other work, so that not all files and records were requested.
    private(set) var endedEarly = false
    /// The first error, except for files that the server does not have.
    private(set) var problem: (any Error)?

    /// - Parameter goesOn: Called after each group; returns false if other work comes first.
    init(
        of replica: LocalReplica, from database: CKDatabase, _ limits: Limits,
        goesOn: @Sendable () async throws -> Bool
    ) async throws {
        let unfetched = Set(try await replica.read { try $0.unfetched() })
        let bytes = try await replica.recordsWithMissingFiles()
        let wanted = unfetched.union(bytes.keys).sorted {
            ($0.zone.displayName, $0.name) < ($1.zone.displayName, $1.name)
        }
        let groups = wanted.groups(ofAtMost: Self.maximumRecords(limits), bytes: Self.groupBytes) {
            bytes[$0] ?? 0
        }
        for (index, group) in groups.enumerated() {
            if index > 0, try await !goesOn() {
                endedEarly = true
                break
            }
            let ids = Dictionary(group.map { ($0.recordID, $0) }, uniquingKeysWith: { first, _ in first })
            let results = try await database.records(for: group.map(\.recordID)) { [replica] in
                replica.file(of: $0) == nil
            }
            for (recordID, result) in results {
                guard let id = ids[recordID] else { continue }
                if unfetched.contains(id) {
                    try add(result, of: id, to: replica)
                    continue
                }
                let files = (try? result.ignoringMissingFiles())?.contents.files ?? [:]
                for file in files.values { _ = try replica.keepFile(at: file) }
                guard case .failure(let error) = result, ErrorDecision(error) != .recordGone else { continue }
                lost.append(id.name)
                if (error as? CKError)?.code != .assetNotAvailable { problem = problem ?? error }
            }
            // A transaction flushes the files of the group to disk.
            try await replica.write { _ in }
            replica.updateObservations()
        }
        lost.sort()
        failed.sort()
    }

    /// The maximum of file bytes in a group: few enough for the seconds that an app has in the background.
    private static let groupBytes: Int64 = 4_194_304

    /// The maximum of records in a group: the server can return them in one answer even if each has the
    /// maximum size.
    private static func maximumRecords(_ limits: Limits) -> Int {
        max(1, min(50, limits.recordsPerResponse, limits.lookupBytes / max(1, limits.recordBytes)))
    }

    /// Adds the result for a record that the feed did not contain.
    private mutating func add(
        _ result: Result<CKRecord, any Error>, of id: RecordID, to replica: LocalReplica
    ) throws {
        do {
            let version = try replica.keep(result.ignoringMissingFiles(), in: id.zone)
            versions.append(version)
            if replica.lacksFiles(of: version.fields) { lost.append(id.name) }
        } catch let error as CKError {
            switch ErrorDecision(error) {
            case .stop: throw error
            case .recordGone, .zoneGone, .zonePurged: gone.append(id)
            default: failed.append(id.name)
            }
        }
    }
}
