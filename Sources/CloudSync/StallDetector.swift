import Foundation
import Records

/// Detects answers of the server that make no progress, so that the sync waits instead of repeating requests
/// for ever.
///
/// It limits four things: consecutive steps that change nothing and do not wait, restarts of a feed before it
/// was read to its end, consecutive empty pages of feeds, and conflicts: a conflict of a record counts as
/// progress only once until the server applies the record.
struct StallDetector {
    /// Consecutive steps that changed nothing.
    private var fruitless = 0
    /// How many times in a row such steps made the sync wait.
    private var stalls = 0
    /// Whether the current step changed something.
    private var isFruitful = false
    /// The error of the last failed request.
    private var problem: String?
    /// Records that had another version on the server when they were sent, until the server applies them.
    private var conflicted: Set<RecordID> = []
    /// How often each feed was restarted before it was read to its end.
    private var startsOver: [SyncStep.Kind: Int] = [:]

    /// The number of consecutive pages without changes that were not the last of their feeds.
    private var emptyPages = 0

    /// The maximum of consecutive empty pages that count as progress. A page of a shared zone is empty if all
    /// rows that the server read for it, thousands at most, belong to records that the person may not see.
    static let maximumEmptyPages = 1000
    /// The maximum of consecutive steps without progress: more than it takes to halve the largest batch to
    /// one record.
    static let maximumFruitlessSteps = 30
    /// The maximum after the sync has waited: enough to find out whether something has changed.
    static let maximumFruitlessStepsAfterWait = 6
    /// The number of restarts of a feed that are allowed without a wait.
    static let maximumRestarts = 2

    mutating func recordProgress() { isFruitful = true }

    /// Records a page that advanced its feed. `isEmpty` is true for a page without changes that is not the
    /// last one.
    mutating func recordPage(isEmpty: Bool) {
        emptyPages = isEmpty ? emptyPages + 1 : 0
        if emptyPages <= Self.maximumEmptyPages { recordProgress() }
    }

    mutating func recordProblem(_ text: String) { problem = text }

    /// Records that the server applied or refused a record.
    mutating func recordFinished(_ record: RecordID) {
        conflicted.remove(record)
        recordProgress()
    }

    mutating func recordConflict(_ record: RecordID) {
        if conflicted.insert(record).inserted { recordProgress() }
    }

    /// Records that a feed was read to its end, or that another step succeeded.
    mutating func recordEnd(of kind: SyncStep.Kind) { startsOver[kind] = nil }

    /// Records the restart of a feed. Returns the hold that now applies: `hold`, or a longer one if the feed
    /// was restarted too often.
    mutating func startOver(
        _ kind: SyncStep.Kind, _ zone: String?, _ hold: Hold?, at now: Date
    ) -> Hold? {
        let count = startsOver[kind, default: 0] + 1
        startsOver[kind] = count
        let surplus = count - Self.maximumRestarts
        return surplus > 0 ? .stalled(.tokenExpires(zone: zone), after: surplus, at: now) : hold
    }

    /// Records the end of a step. Returns the hold that now applies: `hold`, or a longer one if too many
    /// steps in a row changed nothing and do not wait.
    mutating func end(_ step: SyncStep, _ hold: Hold?, at now: Date) -> Hold? {
        defer { isFruitful = false }
        if isFruitful { (fruitless, stalls, problem) = (0, 0, nil) }
        if isFruitful || hold?.lasts(at: now) == true { return hold }
        fruitless += 1
        let rounds = fruitless
        if rounds < (stalls == 0 ? Self.maximumFruitlessSteps : Self.maximumFruitlessStepsAfterWait) {
            return hold
        }
        (fruitless, stalls) = (0, stalls + 1)
        return .stalled(
            .noProgress(step: step.title, rounds: rounds, error: problem), after: stalls, at: now)
    }
}

extension Hold {
    fileprivate static func stalled(_ stall: SyncStall, after failures: Int, at now: Date) -> Hold {
        var hold = Hold.backOff(after: failures, why: stall.description, at: now)
        hold.stall = stall
        return hold
    }
}
