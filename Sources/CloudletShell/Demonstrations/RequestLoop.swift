import Cloudlet
import CommandShell
import Foundation

/// A loop that makes calls without a pause, as a faulty app does. Each call sends one small request, unless
/// the client holds it back.
struct RequestLoop {
    /// The counts of such a loop.
    struct Tally: Equatable, Sendable {
        /// The number of calls that the loop was asked to make.
        var asked = 0
        /// The number of calls that succeeded.
        var answered = 0
        /// The number of requests that the server refused.
        var refused = 0
        /// The number of requests that the client held back because the server had asked it to wait.
        var held = 0
        /// The time in seconds that the loop waited after refusals.
        var waited = 0
        /// The first `retryAfter` of the server, in seconds.
        var retryAfter: Int?
        /// The number of requests that were sent, for all calls.
        var requests = 0

        var answer: Answer {
            let fields = [
                AnswerField("asked", .count(asked)), AnswerField("answered", .count(answered)),
                AnswerField("refused", .count(refused)), AnswerField("heldBack", .count(held)),
                AnswerField("retryAfter", retryAfter.map(Value.count) ?? .missing),
                AnswerField("waited", .count(waited)),
                AnswerField("requests", .count(requests)),
            ]
            return Answer(form: .record, entries: [Entry(fields)])
        }
    }

    let container: CKContainer
    let requests: RequestCounter
    let pause: @Sendable (TimeInterval) async throws -> Void

    /// Makes that many calls. After a refusal, a patient loop waits for the time that the server demands and
    /// repeats the call; any other loop makes the next call at once.
    func run(_ count: Int, waitsForRetry: Bool) async throws -> Tally {
        let before = requests.count
        var tally = Tally(asked: count)
        var left = count
        while left > 0 {
            try Task.checkCancellation()
            let sent = requests.count
            do {
                _ = try await container.userRecordID()
                tally.answered += 1
                left -= 1
            } catch let error as CKError where error.code == .requestRateLimited {
                if requests.count > sent { tally.refused += 1 } else { tally.held += 1 }
                let seconds = Int((error.retryAfterSeconds ?? 1).rounded(.up))
                tally.retryAfter = tally.retryAfter ?? seconds
                if waitsForRetry {
                    try await pause(TimeInterval(seconds))
                    tally.waited += seconds
                } else {
                    left -= 1
                }
            }
        }
        tally.requests = requests.count - before
        return tally
    }
}
