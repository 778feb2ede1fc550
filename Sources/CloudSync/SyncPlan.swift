import Cloudlet
import Foundation
import LocalReplica
import Records

/// A pause of some kind of work, with its reason.
struct Hold: Equatable, Sendable {
    /// When it ends by itself; nil if it ends with an event, such as a sign-in.
    var until: Date?
    var why: String
    /// Whether the server asked for it. Then it also applies to a sync that the app requests now.
    var isAsked = false
    /// The answers without progress that caused it, if any.
    var stall: SyncStall?
}

/// The facts that determine the next step.
struct SyncFacts: Equatable {
    /// The signed-in account, compared with the owner of the replica's data.
    enum Account: Equatable {
        case unknown
        /// The owner of the replica's data.
        case owner
        /// Nobody, or another person than the owner.
        case problem(SyncStatus.AccountProblem)
    }

    var account = Account.owner
    /// While it lasts, no requests are sent.
    var hold: Hold?
    /// Whether the server's limits must be read.
    var needsLimits = false
    /// Whether zones may have changed without a push.
    var isDatabaseStale = false
    /// Zones that must be created on the server.
    var zonesToMake: [ZoneID] = []
    /// Until when zones that the server refused are not created.
    var zoneHold: Hold?
    /// Zones for which a subscription must be created.
    var zonesToFollow: [ZoneID] = []
    /// Whether a subscription for new zones must be created.
    var hasToFollowDatabase = false
    /// Until when subscriptions that the server refused are not created.
    var subscriptionHold: Hold?
    /// The number of records that can be sent.
    var sendable = 0
    /// Until when edits are not sent to the zones of owners whose storage is full; nil if there are no such
    /// edits.
    var storageHold: Hold?
    /// Until when records whose files could not be sent in time are not sent; nil if there are none.
    var uploadHold: Hold?
    /// The zone of an unanswered batch, until its changes were fetched.
    var zoneOfUnansweredBatch: ZoneID?
    /// A zone that is fetched before the list of changed zones, once no edit can be sent: a push has named
    /// it, and this pass has not fetched it.
    var firstZone: ZoneID?
    /// Zones that may have changes that were not fetched, in the order of their fetches.
    var staleZones: [ZoneID] = []
    /// Whether files of records may be missing on this device.
    var mayLackFiles = false
    /// While it lasts, missing files are not requested.
    var filesHold: Hold?
    /// Describes the edits that wait in closed zones; nil if there are none.
    var closed: String?
    /// Describes the edits that the server refused; nil if there are none.
    var refused: String?

    /// Describes the refused edits of these records.
    static func message(refused records: [String]) -> String {
        let some = records.prefix(3).joined(separator: ", ") + (records.count > 3 ? ", …" : "")
        let what = records.count == 1 ? "1 edit" : "\(records.count) edits"
        return "the server refused \(what) (\(some)); everything else is in sync; "
            + "edit these records again to send them"
    }
}

/// One step of a sync.
enum SyncStep: Equatable {
    /// Fetches the signed-in person.
    case identify
    /// Reads the server's limits.
    case readLimits
    /// Fetches the list of zones that were changed or deleted.
    case fetchDatabase
    case makeZones([ZoneID])
    /// Creates subscriptions for these zones, and for new ones if `database` is true.
    case follow([ZoneID], database: Bool)
    /// Sends a batch.
    case send
    /// Fetches pages of a zone's changes.
    case fetch(ZoneID)
    /// Fetches missing files.
    case fetchFiles
    /// Ends: nothing can be done now.
    case finished(Outcome)

    /// The kind of a step. Failures are counted for each kind separately.
    enum Kind: Hashable {
        case account, limits, zones, subscriptions, database, sending, files
        case fetching(ZoneID)
    }

    var kind: Kind {
        switch self {
        case .identify, .finished: .account
        case .readLimits: .limits
        case .fetchDatabase: .database
        case .makeZones: .zones
        case .follow: .subscriptions
        case .send: .sending
        case .fetch(let zone): .fetching(zone)
        case .fetchFiles: .files
        }
    }

    /// Why the sync does nothing now.
    enum Outcome: Equatable {
        /// Everything is in sync.
        case idle
        /// Everything is in sync, except for files and records that the server could not return, or
        /// subscriptions that it refused.
        case lacking(Hold)
        /// Everything is in sync, except for edits that the server refused. At `until`, missing files or
        /// refused subscriptions are requested again; nil if there are none.
        case refused(String, until: Date?)
        case held(Hold)
        case account(SyncStatus.AccountProblem)
        /// Edits wait in closed zones.
        case closed(String)
    }

    /// Returns the next step.
    ///
    /// Sending comes before fetching, so that edits are safe first, and conflicts are found while they can be
    /// merged. The exception is an unanswered batch: its zone is fetched before the batch is sent again, so
    /// that a record that was deleted after it arrived is not created again.
    ///
    /// A zone that a push has named is fetched before the list of changed zones: the server also reports the
    /// change to the subscription of the database, so that list becomes stale with each such push. This
    /// happens once in a pass, and not after a failed fetch, so that the zone cannot hold up the other steps
    /// for ever.
    static func next(_ facts: SyncFacts, at now: Date) -> SyncStep {
        if let hold = facts.hold, hold.lasts(at: now) { return .finished(.held(hold)) }
        switch facts.account {
        case .unknown: return .identify
        case .problem(let problem): return .finished(.account(problem))
        case .owner: break
        }
        if facts.needsLimits { return .readLimits }
        if let zone = facts.firstZone, facts.sendable == 0 { return .fetch(zone) }
        if facts.isDatabaseStale { return .fetchDatabase }
        if !facts.zonesToMake.isEmpty { return .makeZones(facts.zonesToMake) }
        if !facts.zonesToFollow.isEmpty || facts.hasToFollowDatabase {
            return .follow(facts.zonesToFollow, database: facts.hasToFollowDatabase)
        }
        if facts.sendable > 0 { return facts.zoneOfUnansweredBatch.map { .fetch($0) } ?? .send }
        if let zone = facts.staleZones.first { return .fetch(zone) }
        let filesHold = facts.filesHold.flatMap { $0.lasts(at: now) ? $0 : nil }
        if facts.mayLackFiles, filesHold == nil { return .fetchFiles }
        let waits = [facts.storageHold, facts.uploadHold].compactMap(\.self)
        if let first = Hold.first(of: waits) { return .finished(.held(first)) }
        if let closed = facts.closed { return .finished(.closed(closed)) }
        if let zoneHold = facts.zoneHold { return .finished(.held(zoneHold)) }
        let later = Hold.first(of: [filesHold, facts.subscriptionHold].compactMap(\.self))
        if let refused = facts.refused { return .finished(.refused(refused, until: later?.until)) }
        return .finished(later.map { .lacking($0) } ?? .idle)
    }
}

extension Hold {
    func lasts(at now: Date) -> Bool {
        until.map { $0 > now } ?? true
    }

    /// The hold that ends first; nil if there is none.
    static func first(of holds: [Hold]) -> Hold? {
        holds.min { ($0.until ?? .distantFuture, $0.why) < ($1.until ?? .distantFuture, $1.why) }
    }

    /// A wait whose length the server did not state: 1, 2, 4 … 256 seconds, then 5 minutes.
    static func backOff(after failures: Int, why: String, at now: Date) -> Hold {
        let seconds = Backoff.seconds(after: failures, longest: 300)
        return Hold(until: now.addingTimeInterval(TimeInterval(seconds)), why: why)
    }

    /// A wait of one hour before files and records that the server could not provide are requested again.
    static func lacking(filesOf lost: [String], records failed: [String], at now: Date) -> Hold {
        func list(_ names: [String]) -> String {
            let some = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
            return (names.count == 1 ? "1 record" : "\(names.count) records") + " (\(some))"
        }
        let parts = [
            lost.isEmpty ? nil : "files of \(list(lost))", failed.isEmpty ? nil : list(failed),
        ].compactMap(\.self)
        return Hold(
            until: now.addingTimeInterval(3600),
            why: "everything is in sync, but the server cannot return \(parts.joined(separator: " and ")); "
                + "they are requested again in an hour")
    }
}
