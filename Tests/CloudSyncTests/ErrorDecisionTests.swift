import Cloudlet
import Testing

@testable import CloudSync

@Suite("What errors mean for a sync")
struct ErrorDecisionTests {
    @Test("A sync tries again after every error after which a sync engine tries again")
    func likeTheEngine() {
        let errors = (1...37).compactMap { CKError.Code(rawValue: $0) }.map { CKError($0) }
        let retried = errors.filter(\.isRetriedBySyncEngine)
        #expect(retried.count == 7)
        for error in retried {
            switch ErrorDecision(error) {
            case .wait, .backOff, .checkAccount: break
            default: Issue.record("\(error.code) is not tried again")
            }
        }
    }

    @Test("A sync waits 1, 2, 4 seconds and so on, at most 5 minutes; an engine at most 1 minute")
    func backOff() {
        let waits = [0, 1, 2, 9, 10, 99].map { Backoff.seconds(after: $0, longest: 300) }
        #expect(waits == [1, 1, 2, 256, 300, 300])
        var engine = Backoff()
        let pauses = (0..<8).map { _ in engine.next() }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60])
    }
}
