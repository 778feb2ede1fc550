import Cloudlet
import Foundation
import LocalReplica
import Records

/// The state of a sync that is lost when the process ends; everything else is in the replica.
struct SyncMemory {
    /// The container that sends the requests of the steps. Its requests fail if another person is signed in
    /// than the one whom the last `identify` step found.
    var container: CKContainer
    var account = SyncFacts.Account.unknown
    /// The number of account changes. An account that was requested before the last change may be out of
    /// date.
    var accountChanges = 0
    var isDatabaseStale = true
    /// The change tokens of the zones, as they were read with the last facts.
    var tokens: [ZoneID: Data] = [:]
    /// The zones of pushes that arrived since the last fetch of the zone began.
    var pushedZones: Set<ZoneID> = []
    /// The zones whose fetch has begun in this pass.
    var fetchedZones: Set<ZoneID> = []
    /// The zones whose last fetch has failed.
    var failedZones: Set<ZoneID> = []
    var hold: Hold?
    /// The owners whose storage is full.
    var fullStorage = FullStorage()
    /// While it lasts, missing files are not requested; everything else goes on.
    var filesHold: Hold?
    /// The zones and subscriptions that the server refused to create.
    var refusedSetup = RefusedSetup()
    /// The kind of the current step.
    var currentStep = SyncStep.Kind.account
    /// The number of consecutive failures of each kind of step.
    var failures: [SyncStep.Kind: Int] = [:]
    /// How often in a row the server failed to process each record.
    var serverFaults: [RecordID: Int] = [:]
    /// The records whose files could not be sent in time.
    var slowUploads = SlowUploads()
    var stallDetector = StallDetector()
    /// Whether files of records may be missing on this device: after a power failure, or because they
    /// could not be fetched.
    var mayLackFiles = true
    /// Whether the server's limits are known.
    var hasLimits = false
    /// The maximum of records in the next batch; smaller after batches that were too large.
    var batchLimit: Int
    /// The zones whose changes were fetched since their last batch was sent, so that it is known whether an
    /// unanswered batch arrived.
    var askedZones: Set<ZoneID> = []
    var isPassing = false
    /// Whether another pass was requested during the current one.
    var isWantedAgain = false
    var waiting: [CheckedContinuation<Void, Never>] = []
}

extension SyncMemory {
    /// When a zone is fetched.
    enum Turn: CaseIterable {
        /// Before the list of changed zones, because a push has named it.
        case first
        /// After that list.
        case stale
        /// After the zones above, because a push has named it again in the same pass. Otherwise a zone that
        /// changes all the time would hold up the others for ever.
        case again
        /// After all other zones, because its last fetch has failed.
        case failed
    }

    /// Notes that the fetch of a zone begins. Returns whether a push has named the zone. A push that arrives
    /// from here on may be newer than the page.
    mutating func beginFetch(of zone: ZoneID) -> Bool {
        fetchedZones.insert(zone)
        return pushedZones.remove(zone) != nil
    }

    /// Notes that a page of a zone was stored.
    mutating func recordPage(of zone: ZoneID) {
        failures[.fetching(zone)] = nil
        failedZones.remove(zone)
    }

    mutating func failFetch(of zone: ZoneID, wasPushed: Bool) {
        failedZones.insert(zone)
        if wasPushed { pushedZones.insert(zone) }
    }

    /// Forgets the pushes of zones that are not in use here. A push cannot add such a zone, so the list of
    /// zones is fetched.
    mutating func forgetPushes(besides zones: [ReplicaZone]) {
        let unknown = pushedZones.subtracting(zones.map(\.id))
        pushedZones.subtract(unknown)
        if !unknown.isEmpty { isDatabaseStale = true }
    }

    func turn(of zone: ZoneID) -> Turn {
        if failedZones.contains(zone) { return .failed }
        if !pushedZones.contains(zone) { return .stale }
        return fetchedZones.contains(zone) ? .again : .first
    }

    /// The zones with changes that were not fetched, in the order of their fetches.
    func zonesToFetch(of zones: [ReplicaZone]) -> [ZoneID] {
        let stale = zones.filter { $0.isStale || pushedZones.contains($0.id) }.map(\.id)
        return Turn.allCases.flatMap { turn in stale.filter { self.turn(of: $0) == turn } }
    }
}
