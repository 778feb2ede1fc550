import Foundation

/// A time in which something is not done, and why.
struct Hold: Equatable, Sendable {
    /// When it ends by itself; nil: when something happens, such as signing in.
    var until: Date?
    var why: String
    /// Whether the server asked for it: then even somebody who wants to sync now has to wait.
    var isAsked = false
    /// The answers that led nowhere, if it is because of those.
    var stall: SyncStall?
}

/// Everything that the next step depends on.
struct SyncFacts: Equatable {
    /// Who is signed in, as far as it matters here.
    enum Account: Equatable {
        case unknown
        case nobody
        /// Somebody else than the person whose data this is.
        case other
        case owner
    }

    var account = Account.owner
    /// Nothing at all is asked of the server meanwhile.
    var hold: Hold?
    /// Nothing is sent meanwhile.
    var sendHold: Hold?
    /// Whether the server has to be asked what it allows.
    var needsLimits = false
    /// Whether zones may have changed that nobody told of.
    var isDatabaseStale = false
    /// Zones that the server has to have before anything can be done in them.
    var zonesToMake: [String] = []
    /// Zones of whose changes the server is to tell.
    var zonesToFollow: [String] = []
    /// Whether the server is to tell of new zones.
    var hasToFollowDatabase = false
    /// Records that can be sent.
    var sendable = 0
    /// The zone of what was sent and may have arrived, until it was fetched.
    var zoneInDoubt: String?
    /// Zones of which the server may know more.
    var staleZones: [String] = []
    /// Whether files of records may be missing here.
    var mayLackFiles = false
    /// Missing files are not asked for meanwhile.
    var filesHold: Hold?
    /// What waits for zones that are not used any more, in words.
    var closed: String?
}

/// One thing to do.
enum SyncStep: Equatable {
    /// Asks who is signed in.
    case identify
    /// Asks how much the server allows.
    case readLimits
    /// Fetches which zones changed or went.
    case fetchDatabase
    case makeZones([String])
    /// Asks to be told: of these zones, and of new ones.
    case follow([String], database: Bool)
    /// Sends a batch.
    case send
    /// Fetches a page of a zone.
    case fetch(String)
    /// Fetches the files that are missing here.
    case fetchFiles
    /// Nothing can be done now.
    case rest(Rest)

    /// What a step is about: trouble with one is no trouble with the others.
    enum Kind: Hashable {
        case account, limits, zones, subscriptions, database, sending, files
        case fetching(String)
    }

    var kind: Kind {
        switch self {
        case .identify, .rest: .account
        case .readLimits: .limits
        case .fetchDatabase: .database
        case .makeZones: .zones
        case .follow: .subscriptions
        case .send: .sending
        case .fetch(let zone): .fetching(zone)
        case .fetchFiles: .files
        }
    }

    /// Why nothing is done.
    enum Rest: Equatable {
        /// Everything is in step.
        case idle
        /// Everything is in step but for files that the server did not give.
        case lacking(Hold)
        case held(Hold)
        case nobody
        case otherPerson
        /// Edits wait for zones that are not used any more.
        case closed(String)
    }

    /// What to do next. Sending comes before fetching, so that what was typed is safe first, and conflicts
    /// are met where they can be merged. Only what may have arrived is looked for
    /// before it is sent again, so that nothing comes back that somebody deleted since.
    static func next(_ facts: SyncFacts, at now: Date) -> SyncStep {
        if let hold = facts.hold, hold.lasts(at: now) { return .rest(.held(hold)) }
        switch facts.account {
        case .unknown: return .identify
        case .nobody: return .rest(.nobody)
        case .other: return .rest(.otherPerson)
        case .owner: break
        }
        if facts.needsLimits { return .readLimits }
        if facts.isDatabaseStale { return .fetchDatabase }
        if !facts.zonesToMake.isEmpty { return .makeZones(facts.zonesToMake) }
        if !facts.zonesToFollow.isEmpty || facts.hasToFollowDatabase {
            return .follow(facts.zonesToFollow, database: facts.hasToFollowDatabase)
        }
        let sendHold = facts.sendHold.flatMap { $0.lasts(at: now) ? $0 : nil }
        if facts.sendable > 0, sendHold == nil { return facts.zoneInDoubt.map { .fetch($0) } ?? .send }
        if let zone = facts.staleZones.first { return .fetch(zone) }
        let filesHold = facts.filesHold.flatMap { $0.lasts(at: now) ? $0 : nil }
        if facts.mayLackFiles, filesHold == nil { return .fetchFiles }
        if let sendHold, facts.sendable > 0 { return .rest(.held(sendHold)) }
        if let closed = facts.closed { return .rest(.closed(closed)) }
        return .rest(filesHold.map { .lacking($0) } ?? .idle)
    }
}

extension Hold {
    func lasts(at now: Date) -> Bool {
        until.map { $0 > now } ?? true
    }

    /// How long to wait when nobody says: 1, 2, 4 … 256 seconds, then 5 minutes.
    static func backOff(after failures: Int, why: String, at now: Date) -> Hold {
        let seconds = min(300, pow(2, Double(max(0, failures - 1))))
        return Hold(until: now.addingTimeInterval(seconds), why: why)
    }

    /// Files that the server does not give are asked for again after an hour.
    static func lacking(filesOf records: [String], at now: Date) -> Hold {
        let some = records.prefix(3).joined(separator: ", ") + (records.count > 3 ? ", …" : "")
        let what = records.count == 1 ? "1 record" : "\(records.count) records"
        return Hold(
            until: now.addingTimeInterval(3600),
            why: "everything is in step, but the server does not give files of \(what) (\(some)); "
                + "they are asked for again later")
    }
}
