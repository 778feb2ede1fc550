import Cloudlet
import CommandShell
import Foundation

/// A loop that asks without end, as a broken app does. Each question is one request, as small as they come.
struct RunawayLoad {
    /// What came of the questions.
    struct Tally: Equatable, Sendable {
        var asked = 0
        var answered = 0
        /// Refused by the server.
        var refused = 0
        /// Refused by the client, which had been told to wait.
        var held = 0
        var waited = 0
        /// The seconds that the server asked for first.
        var retryAfter: Int?
        var requests = 0

        var answer: Answer {
            let fields = [
                Field("asked", .count(asked)), Field("answered", .count(answered)),
                Field("refused", .count(refused)), Field("heldBack", .count(held)),
                Field("retryAfter", retryAfter.map(Value.count) ?? .missing), Field("waited", .count(waited)),
                Field("requests", .count(requests)),
            ]
            return Answer(form: .record, entries: [Entry(fields)])
        }
    }

    let container: CKContainer
    let requests: RequestCounter
    let pause: @Sendable (TimeInterval) async throws -> Void

    /// Asks that often; a patient one waits as long as it is told to.
    func run(_ count: Int, isPatient: Bool) async throws -> Tally {
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
                if isPatient {
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
