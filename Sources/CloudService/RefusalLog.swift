import Synchronization

/// Limits the lines about refusals and failures in the operator's log, so that nobody can fill the disk with
/// them: 10 lines of each kind in a minute. The number of lines that were left out is logged before the next
/// line of the kind, and when the server stops.
package final class RefusalLog: Sendable {
    /// The subject of the lines, in the words of the summary.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case fullDisk = "writes that found the disk full"
        case failure = "requests that failed"
        case signIn = "attempts to sign in that came too early"
        case connection = "network addresses with too many connections"
    }

    /// The lines of one kind since the beginning of a minute.
    private struct Minute {
        var start: Duration
        var lines = 0
        var omitted = 0
    }

    private static let length = Duration.seconds(60)
    private static let linesPerMinute = 10

    private let minutes = Mutex<[Kind: Minute]>([:])
    private let uptime: @Sendable () -> Duration
    private let summarize: @Sendable (String) -> Void

    /// - Parameters:
    ///   - uptime: Returns a monotonic time.
    ///   - summarize: Logs how many lines were left out.
    package init(
        uptime: @escaping @Sendable () -> Duration, summarize: @escaping @Sendable (String) -> Void
    ) {
        self.uptime = uptime
        self.summarize = summarize
    }

    /// Runs `write`, which logs one line, unless the minute has as many lines of this kind as it may.
    package func tell(_ kind: Kind, _ write: () -> Void) {
        let now = uptime()
        let (isAdmitted, omitted) = minutes.withLock { minutes in
            var minute = minutes[kind] ?? Minute(start: now)
            var omitted = 0
            if now - minute.start >= Self.length {
                omitted = minute.omitted
                minute = Minute(start: now)
            }
            let isAdmitted = minute.lines < Self.linesPerMinute
            if isAdmitted { minute.lines += 1 } else { minute.omitted += 1 }
            minutes[kind] = minute
            return (isAdmitted, omitted)
        }
        say(omitted, kind)
        if isAdmitted { write() }
    }

    /// Logs how many lines were left out since the last summary.
    package func finish() {
        let last = minutes.withLock { minutes in
            defer { minutes = [:] }
            return minutes
        }
        for kind in Kind.allCases { say(last[kind]?.omitted ?? 0, kind) }
    }

    private func say(_ omitted: Int, _ kind: Kind) {
        if omitted > 0 { summarize("\(omitted) more \(kind.rawValue), within a minute") }
    }
}
