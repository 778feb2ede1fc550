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

    /// When to fetch, or when to send. Each waits for its own errors only.
    private struct Direction {
        /// Whether there is something to do.
        var isWanted: Bool
        /// The earliest moment of the next attempt after errors.
        var retryAt: Date?
        var backoff = Backoff()
        /// The pause that the server asked for in the current cycle, in seconds; nil if no error is to be
        /// retried.
        var pause: TimeInterval?
    }

    let isAutomatic: Bool
    /// The maximum in seconds of a pause that the server asks for. Longer ones are shortened to it.
    private let longestPause: TimeInterval
    private var fetch: Direction
    private var send: Direction
    /// Whether nothing is due until the account changes, because nobody is signed in.
    var isDormant = false

    /// Creates a schedule. In an automatic engine, fetching and sending are due at the start.
    init(isAutomatic: Bool, longestPause: TimeInterval = TimeInterval(Limits().syncPauseSeconds)) {
        self.isAutomatic = isAutomatic
        self.longestPause = longestPause
        (fetch, send) = (Direction(isWanted: isAutomatic), Direction(isWanted: isAutomatic))
    }

    /// Whether a fetch is due, now or after a pause.
    var wantsFetch: Bool {
        get { fetch.isWanted }
        set { fetch.isWanted = newValue }
    }

    /// Whether a send is due, now or after a pause.
    var wantsSend: Bool {
        get { send.isWanted }
        set { send.isWanted = newValue }
    }

    /// The action that is due at a time.
    func due(at now: Date, hasChanges: Bool) -> Due {
        guard isAutomatic, !isDormant else { return .nothing }
        var wanted: [(due: Due, from: Date)] = []
        if fetch.isWanted { wanted.append((.fetch, fetch.retryAt ?? now)) }
        if send.isWanted, hasChanges { wanted.append((.send, send.retryAt ?? now)) }
        if let ready = wanted.first(where: { $0.from <= now }) { return ready.due }
        return wanted.map(\.from).min().map { .wait(until: $0) } ?? .nothing
    }

    /// Makes a fetch or a send due again, after the pause that the server asked for.
    mutating func retry(after seconds: TimeInterval?, isFetch: Bool) {
        let asked = seconds.map { $0.isFinite ? min(max($0, 0), longestPause) : 0 } ?? 0
        change(isFetch) { direction in
            direction.isWanted = true
            direction.pause = max(direction.pause ?? 0, asked)
        }
    }

    /// Ends a cycle.
    ///
    /// - Parameter isDone: whether everything was fetched or sent, so that an earlier pause is over.
    mutating func ended(isFetch: Bool, isDone: Bool, at now: Date) {
        change(isFetch) { direction in
            if let pause = direction.pause {
                let seconds = max(pause, TimeInterval(direction.backoff.next()))
                direction.retryAt = now.addingTimeInterval(seconds)
            } else if isDone {
                direction.retryAt = nil
                direction.backoff.connected()
            }
            direction.pause = nil
        }
    }

    private mutating func change(_ isFetch: Bool, _ body: (inout Direction) -> Void) {
        if isFetch { body(&fetch) } else { body(&send) }
    }

    /// Makes fetching and sending due at once, because the account may have changed.
    mutating func accountChanged() {
        (fetch, send) = (Direction(isWanted: isAutomatic), Direction(isWanted: isAutomatic))
        isDormant = false
    }
}

extension SyncEngineMachine {
    /// Schedules the retry of an error that the engine retries, and ignores other errors.
    mutating func scheduleRetry(_ error: CKError, isFetch: Bool) {
        guard error.isRetriedBySyncEngine else { return }
        schedule.retry(after: error.retryAfterSeconds, isFetch: isFetch)
    }
}
