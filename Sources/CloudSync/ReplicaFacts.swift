import Foundation
import LocalReplica
import Records

/// The state of a replica that determines the next step of its sync, read in one transaction.
struct ReplicaFacts: Sendable {
    let zones: [ReplicaZone]
    /// The change tokens of the zones that have one.
    let tokens: [ZoneID: Data]
    let database: (token: Data?, isSubscribed: Bool)
    /// The number of edits that can be sent now.
    let sendable: Int
    /// Whether further edits wait because their files were sent too slowly.
    let hasLate: Bool
    /// Whether further edits wait because the storage of their owner is full.
    let hasFull: Bool
    /// The zone of the batch whose answer did not arrive.
    let unanswered: ZoneID?
    /// The edits in closed zones; empty if other edits can be sent.
    let closed: [(zone: ZoneID, closure: ReplicaZone.Closure, edits: Int)]
    /// The records whose edits were refused; empty if other edits can be sent.
    let refused: [String]

    /// - Parameters:
    ///   - refusedZones: the zones that the server refused.
    ///   - full: the owners whose storage is full.
    ///   - late: the records that wait because their files were sent too slowly.
    init(
        _ reader: ReplicaReader, refusedZones: [ZoneID], full: [String?], late: [RecordID]
    ) throws {
        zones = try reader.zones()
        tokens = try reader.tokens()
        database = try reader.databaseState()
        sendable = try reader.sendableCount(besides: refusedZones, excludingOwners: full, except: late)
        let withLate =
            late.isEmpty
            ? sendable : try reader.sendableCount(besides: refusedZones, excludingOwners: full)
        hasLate = withLate > sendable
        hasFull = try !full.isEmpty && reader.sendableCount(besides: refusedZones) > withLate
        unanswered = try reader.unansweredBatch(excludingOwners: full)?.zone
        // Only counted if nothing else can be sent, since there are few such edits then.
        closed = sendable == 0 ? try reader.closedEdits() : []
        refused = sendable == 0 ? try reader.refusedNames() : []
    }
}
