import CloudKit
import CloudletServer
import CloudletTesting
import Foundation
import Testing

@testable import Cloudlet
@testable import TestKit

extension OperationSentenceTests {
    /// A long-lived save in a process that ends before the completion block returns.
    private static func leave(_ fixture: Fixture, _ log: Log, _ end: Death) async -> CKModifyRecordsOperation
    {
        let operation = CKModifyRecordsOperation.heard([party("a"), party("b")], in: fixture.phone(), log)
        operation.longLivedOperationWasPersistedBlock = { log.add("persisted") }
        operation.isLongLived = true
        await operation.endWithoutCompletion(end)
        return operation
    }

    static let longLife: [Sentence] = [
        Sentence("The next process gets the results of a long-lived operation again") { fixture in
            let (first, second, end) = (Log(), Log(), Death())
            let operation = await leave(fixture, first, end)
            let next = fixture.watched { _ in second.add("asked") }
            let found = try await next.longLivedOperation(for: operation.operationID)
            let again = try #require(found as? CKModifyRecordsOperation)
            again.perRecordSaveBlock = { id, result in second.add("saved \(id.recordName) \(result.code)") }
            again.modifyRecordsResultBlock = { second.add("end \($0.code)") }
            await again.run()
            end.end()
            #expect(first.all == ["persisted", "saved a 0", "saved b 0", "end 0"])
            #expect(second.all == ["saved a 0", "saved b 0", "end 0"])
        },
        Sentence("A container returns a long-lived operation by its ID, and all IDs") { fixture in
            let end = Death()
            let operation = await leave(fixture, Log(), end)
            let next = fixture.phone()
            let id = operation.operationID
            let known = try await next.allLongLivedOperationIDs()
            #expect(known == [id])
            let found = try await next.longLivedOperation(for: id)
            #expect(found?.operationID == id && found?.configuration.isLongLived == true)
            let unknown = try await next.longLivedOperation(for: "other")
            let stranger = try await fixture.bob.longLivedOperation(for: id)
            #expect(unknown == nil && stranger == nil)
            end.end()
        },
        Sentence("A long-lived operation is stored until its completion block returns or it is cancelled") {
            fixture in
            let end = Death()
            let operation = await leave(fixture, Log(), end)
            let next = fixture.phone()
            let kept = try await next.allLongLivedOperationIDs()
            #expect(kept == [operation.operationID])
            end.end()
            try await until { (try? await next.allLongLivedOperationIDs().isEmpty) == true }
            let other = CKModifyRecordsOperation.heard([party("c")], in: next, Log())
            other.isLongLived = true
            other.longLivedOperationWasPersistedBlock = { [unowned other] in other.cancel() }
            await other.run()
            let left = try await next.allLongLivedOperationIDs()
            #expect(left == [])
        },
        Sentence("A long-lived operation is removed a day after its end") { fixture in
            let end = Death()
            let operation = await leave(fixture, Log(), end)
            let next = fixture.phone()
            fixture.world.clock.advance(bySeconds: 24 * 3600)
            let kept = try await next.allLongLivedOperationIDs()
            #expect(kept == [operation.operationID])
            fixture.world.clock.advance(bySeconds: 1)
            let left = try await next.allLongLivedOperationIDs()
            #expect(left == [])
            end.end()
        },
        Sentence("Setting isLongLived after the start has no effect") { fixture in
            let log = Log()
            let operation = CKFetchRecordsOperation.heard("a", in: fixture.alice, log)
            operation.longLivedOperationWasPersistedBlock = { log.add("persisted") }
            operation.perRecordResultBlock = { [unowned operation] _, _ in
                operation.isLongLived = true
                log.add("asked for")
            }
            await operation.run()
            #expect(log.all == ["asked for", "end 0"])
            let known = try await fixture.alice.allLongLivedOperationIDs()
            #expect(known == [])
        },
    ]
}
