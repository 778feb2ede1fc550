import Foundation
internal import Records

/// Decides when an automatic engine fetches and sends.
struct SyncEngineSchedule: Sendable {
    /// The action that is due.
    enum Due: Equatable, Sendable {
        case fetch
        case send
        case wait(until: Date)
        case nothing
    }

    let isAutomatic: Bool
    /// The longest pause that a server can ask for, in seconds.
    private let longestPause: TimeInterval
    var wantsFetch: Bool
    var wantsSend: Bool
    /// Whether nothing is due until the account changes, because nobody is signed in.
    var isDormant = false
    /// The earliest moment of the next attempt after errors.
    private(set) var retryAt: Date?
    private var backoff = Backoff()
    /// The pause that the server asked for in the current cycle, in seconds; nil if no error is to be
    /// retried.
    private var pause: TimeInterval?

    /// Creates a schedule. In an automatic engine, fetching and sending are due at the start.
    init(isAutomatic: Bool, longestPause: TimeInterval = TimeInterval(Limits().syncPauseSeconds)) {
        self.isAutomatic = isAutomatic
        self.longestPause = longestPause
        (wantsFetch, wantsSend) = (isAutomatic, isAutomatic)
    }

    /// The action that is due at a time.
    func due(at now: Date, hasChanges: Bool) -> Due {
        guard isAutomatic, !isDormant else { return .nothing }
        let sends = wantsSend && hasChanges
        guard wantsFetch || sends else { return .nothing }
        if let retryAt, retryAt > now { return .wait(until: retryAt) }
        return wantsFetch ? .fetch : .send
    }

    /// Makes a fetch or a send due again, after the pause that the server asked for.
    mutating func retry(after seconds: TimeInterval?, isFetch: Bool) {
        if isFetch { wantsFetch = true } else { wantsSend = true }
        let asked = seconds.map { $0.isFinite ? min(max($0, 0), longestPause) : 0 } ?? 0
        pause = max(pause ?? 0, asked)
    }

    /// Ends a cycle: without errors to retry, the next one is due at once.
    mutating func ended(at now: Date) {
        if let pause {
            retryAt = now.addingTimeInterval(max(pause, TimeInterval(backoff.next())))
        } else {
            retryAt = nil
            backoff.connected()
        }
        pause = nil
    }

    /// Makes fetching and sending due at once, because the account may have changed.
    mutating func accountChanged() {
        (wantsFetch, wantsSend, isDormant) = (isAutomatic, isAutomatic, false)
        (retryAt, pause) = (nil, nil)
        backoff.connected()
    }
}

extension SyncEngineMachine {
    /// Schedules the retry of an error that the engine retries, and ignores other errors.
    mutating func scheduleRetry(_ error: CKError, isFetch: Bool) {
        guard error.isRetriedBySyncEngine else { return }
        schedule.retry(after: error.retryAfterSeconds, isFetch: isFetch)
    }
}
