import Foundation
import Records

/// Notices when answers of the server lead nowhere, so that a sync waits instead of following them for ever.
///
/// Three things are bounded: steps in a row that change nothing and after which nothing waits, feeds that
/// begin anew before they were read to their end, and conflicts, each of which helps only once until the
/// server takes the record.
struct StallWatch {
    /// Steps in a row that changed nothing.
    private var fruitless = 0
    /// How often such steps made the sync wait, one time after the other.
    private var stalls = 0
    /// Whether the present step changed something.
    private var isFruitful = false
    /// Why a request was refused last.
    private var problem: String?
    /// Records that the server had another version of when they were sent, until it takes them.
    private var conflicted: Set<RecordID> = []
    /// How often each feed began anew without having been read to its end.
    private var startsOver: [SyncStep.Kind: Int] = [:]

    /// Steps in a row that may change nothing: more than it takes to halve the largest batch down to one
    /// record.
    static let mostFruitless = 30
    /// The same after such steps have made the sync wait: enough to find out whether something helps now.
    static let mostFruitlessAgain = 6
    /// How often a feed may begin anew at once.
    static let mostStartsOver = 2

    mutating func noteProgress() { isFruitful = true }

    mutating func noteProblem(_ words: String) { problem = words }

    /// The server took a record, or will never take it.
    mutating func noteSettled(_ record: RecordID) {
        conflicted.remove(record)
        noteProgress()
    }

    mutating func noteConflict(_ record: RecordID) {
        if conflicted.insert(record).inserted { noteProgress() }
    }

    /// A feed was read to its end, or another step succeeded.
    mutating func noteEnd(of kind: SyncStep.Kind) { startsOver[kind] = nil }

    /// A feed begins anew, while there is this hold. Returns another one if it has done so too often.
    mutating func startOver(
        _ kind: SyncStep.Kind, _ zone: String?, _ hold: Hold?, at now: Date
    ) -> Hold? {
        let count = startsOver[kind, default: 0] + 1
        startsOver[kind] = count
        let surplus = count - Self.mostStartsOver
        return surplus > 0 ? .stalled(.tokenExpires(zone: zone), after: surplus, at: now) : hold
    }

    /// A step has ended, after which there is this hold. Returns a longer one if too many steps in a row
    /// changed nothing and nothing waits.
    mutating func end(_ step: SyncStep, _ hold: Hold?, at now: Date) -> Hold? {
        defer { isFruitful = false }
        if isFruitful { (fruitless, stalls, problem) = (0, 0, nil) }
        if isFruitful || hold?.lasts(at: now) == true { return hold }
        fruitless += 1
        let rounds = fruitless
        if rounds < (stalls == 0 ? Self.mostFruitless : Self.mostFruitlessAgain) { return hold }
        (fruitless, stalls) = (0, stalls + 1)
        return .stalled(
            .noProgress(step: step.words, rounds: rounds, error: problem), after: stalls, at: now)
    }
}

extension Hold {
    fileprivate static func stalled(_ stall: SyncStall, after failures: Int, at now: Date) -> Hold {
        var hold = Hold.backOff(after: failures, why: stall.description, at: now)
        hold.stall = stall
        return hold
    }
}
