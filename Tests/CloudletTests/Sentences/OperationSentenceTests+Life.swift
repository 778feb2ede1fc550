import CloudKit
import CloudletServer
import CloudletTesting
import Foundation
import Synchronization
import Testing

@testable import Cloudlet
@testable import TestKit

extension OperationSentenceTests {
    static let life: [Sentence] = [
        Sentence("An operation has a completion block, can be cancelled, and shows its state") { fixture in
            let log = Log()
            let phone = fixture.watched { _ in log.add("asked") }
            let operation = CKFetchRecordsOperation.heard("a", in: phone, log)
            operation.fetchRecordsResultBlock = { _ in
                log.add("executing \(operation.isExecuting) finished \(operation.isFinished)")
            }
            #expect(operation.isReady && operation.isAsynchronous)
            #expect(!operation.isExecuting && !operation.isFinished && !operation.isCancelled)
            await operation.run()
            log.add("completion")
            #expect(log.all == ["asked", "a 11", "executing true finished false", "completion"])
            #expect(!operation.isExecuting && operation.isFinished && !operation.isCancelled)
            let other = CKFetchRecordsOperation.heard("a", in: phone, log)
            other.cancel()
            await other.run()
            #expect(other.isCancelled && other.isFinished)
            #expect(log.all.last == "end 20")
        },
        Sentence("Records, zones and subscriptions each have operations that fetch and modify them") {
            fixture in
            let log = Log()
            let database = fixture.alice.privateCloudDatabase
            let zone = CKModifyRecordZonesOperation(recordZonesToSave: [CKRecordZone(zoneName: "Z")])
            zone.perRecordZoneSaveBlock = { id, result in log.add("zone \(id.zoneName) \(result.code)") }
            let id = CKRecordZone.ID(zoneName: "Z")
            let zones = CKFetchRecordZonesOperation(recordZoneIDs: [id])
            zones.perRecordZoneResultBlock = { id, result in log.add("found \(id.zoneName) \(result.code)") }
            let save = CKModifyRecordsOperation.heard([party("a", zone: id)], in: fixture.alice, log)
            let fetch = CKFetchRecordsOperation(recordIDs: [CKRecord.ID(recordName: "a", zoneID: id)])
            fetch.perRecordResultBlock = { id, result in log.add("found \(id.recordName) \(result.code)") }
            let saving = CKModifySubscriptionsOperation(
                subscriptionsToSave: [CKRecordZoneSubscription(zoneID: id, subscriptionID: "s")])
            saving.perSubscriptionSaveBlock = { id, result in log.add("saved \(id) \(result.code)") }
            let fetching = CKFetchSubscriptionsOperation(subscriptionIDs: ["s"])
            fetching.perSubscriptionResultBlock = { id, result in log.add("found \(id) \(result.code)") }
            for operation in [zone, zones, save, fetch, saving, fetching] as [CKDatabaseOperation] {
                operation.database = database
                await operation.run()
            }
            #expect(
                log.all == [
                    "zone Z 0", "found Z 0", "saved a 0", "end 0", "found a 0", "saved s 0", "found s 0",
                ])
        },
        Sentence(
            """
            Newer blocks report the result of each item, older ones a partial failure; if both are set, only \
            the newer ones are called
            """
        ) { fixture in
            try await fixture.save("a")
            let log = Log()
            let older = CKFetchRecordsOperation.heard("a", "b", in: fixture.alice, log)
            older.perRecordResultBlock = nil
            older.fetchRecordsResultBlock = nil
            older.perRecordCompletionBlock = { record, id, error in
                log.add("\(record?.recordID.recordName ?? "-") \(id?.recordName ?? "-") \(error.code)")
            }
            older.fetchRecordsCompletionBlock = { found, error in
                log.add("end \(found?.count ?? -1) \(error.code)")
            }
            await older.run()
            #expect(log.all == ["a a 0", "- b 11", "end 1 2"])
            let both = Log()
            let newer = CKFetchRecordsOperation.heard("a", "b", in: fixture.alice, both)
            newer.perRecordCompletionBlock = { _, _, _ in both.add("older") }
            newer.fetchRecordsCompletionBlock = { _, _ in both.add("older") }
            await newer.run()
            #expect(both.all == ["a 0", "b 11", "end 0"])
        },
    ]

    static let queues: [Sentence] = [
        Sentence("A queue runs operations, can be suspended and resumed, and cancels all of them") {
            fixture in
            let log = Log()
            let phone = fixture.watched { _ in log.add("asked") }
            let queue = OperationQueue()
            queue.isSuspended = true
            let first = CKFetchRecordsOperation.heard("a", in: phone, log)
            queue.addOperation(first)
            #expect(queue.operationCount == 1 && !first.isExecuting)
            queue.isSuspended = false
            try await until { first.isFinished }
            #expect(log.all == ["asked", "a 11", "end 0"])
            let other = OperationQueue()
            other.isSuspended = true
            let second = CKFetchRecordsOperation.heard("b", in: phone, log)
            other.addOperation(second)
            other.cancelAllOperations()
            other.isSuspended = false
            try await until { second.isFinished }
            #expect(log.all == ["asked", "a 11", "end 0", "end 20"])
        },
        Sentence("A fetch, a change and a save in three queues run in the order of dependencies") { fixture in
            try await fixture.save("a")
            let log = Log()
            let found = Mutex<CKRecord?>(nil)
            let fetch = CKFetchRecordsOperation.heard("a", in: fixture.alice, log)
            fetch.perRecordResultBlock = { _, result in found.withLock { $0 = try? result.get() } }
            let save = CKModifyRecordsOperation.heard([], in: fixture.alice, log)
            let change = BlockOperation {
                let record = found.withLock { $0 }
                record?["name"] = "changed"
                save.recordsToSave = record.map { [$0] }
                log.add("changed")
            }
            change.addDependency(fetch)
            save.addDependency(change)
            async let end: Void = save.run()
            OperationQueue().addOperation(change)
            fixture.alice.privateCloudDatabase.add(fetch)
            await end
            #expect(log.all == ["end 0", "changed", "saved a 0", "end 0"])
            let now = try await fixture.tablet.privateCloudDatabase.record(for: CKRecord.ID(recordName: "a"))
            #expect(now["name"] == "changed")
        },
        Sentence("An operation runs in a queue of the framework or of the app") { fixture in
            let log = Log()
            let inside = CKFetchRecordsOperation.heard("a", in: fixture.alice, log)
            fixture.alice.privateCloudDatabase.add(inside)
            try await until { inside.isFinished }
            let outside = CKFetchRecordsOperation.heard("b", in: fixture.alice, log)
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            queue.addOperation(outside)
            await withCheckedContinuation { done in queue.addBarrierBlock { done.resume() } }
            #expect(log.all == ["a 11", "end 0", "b 11", "end 0"])
        },
        Sentence("A dependent operation begins after the blocks of the first one have returned") { fixture in
            let log = Log()
            let first = CKFetchRecordsOperation.heard("a", in: fixture.alice, log)
            let hold = DispatchSemaphore(value: 0)
            first.fetchRecordsResultBlock = { _ in
                hold.wait()
                log.add("own block")
            }
            let dependant = CKFetchRecordsOperation.heard(
                "b", in: fixture.watched { _ in log.add("asked") }, log)
            dependant.addDependency(first)
            async let end: Void = dependant.run()
            OperationQueue().addOperation(first)
            try await until { log.all == ["a 11"] }
            #expect(!dependant.isReady)
            hold.signal()
            await end
            #expect(log.all == ["a 11", "own block", "asked", "b 11", "end 0"])
        },
        Sentence("A queue runs urgent operations first; background work has background priority") { fixture in
            let log = Log()
            let phone = fixture.watched { _ in log.add("\(Task.basePriority == .background)") }
            let queue = OperationQueue()
            queue.isSuspended = true
            queue.maxConcurrentOperationCount = 1
            for priority in [Operation.QueuePriority.veryLow, .normal, .veryHigh] {
                let operation = CKFetchRecordsOperation.heard(
                    "a", in: phone, Log(), quality: priority == .veryLow ? .background : nil)
                operation.queuePriority = priority
                operation.fetchRecordsResultBlock = { _ in log.add("\(priority.rawValue)") }
                queue.addOperation(operation)
            }
            queue.isSuspended = false
            await withCheckedContinuation { done in queue.addBarrierBlock { done.resume() } }
            #expect(log.all == ["false", "8", "false", "0", "true", "-8"])
        },
    ]

    static let management: [Sentence] = [
        Sentence("Each operation gets its own errors, and no block runs on the main thread") { fixture in
            let log = Log()
            let good = CKModifyRecordsOperation.heard([party("good")], in: fixture.alice, log)
            let bad = CKModifyRecordsOperation.heard([CKRecord(recordType: "1")], in: fixture.alice, Log())
            good.modifyRecordsResultBlock = { log.add("good \($0.code) \(Thread.isMainThread)") }
            bad.perRecordSaveBlock = { log.add("bad \($1.code) \(Thread.isMainThread)") }
            await bad.run()
            await good.run()
            #expect(log.all == ["bad 12 false", "saved good 0", "good 0 false"])
        },
        Sentence("Operations of a chain have separate errors, and a queue cancels all of them") { fixture in
            let log = Log()
            let queue = OperationQueue()
            queue.isSuspended = true
            let first = CKFetchRecordsOperation.heard("a", in: fixture.alice, log)
            let second = CKModifyRecordsOperation.heard([party("b")], in: fixture.alice, log)
            second.addDependency(first)
            first.fetchRecordsResultBlock = { _ in
                log.add("first")
                queue.cancelAllOperations()
            }
            queue.addOperation(first)
            queue.addOperation(second)
            queue.isSuspended = false
            try await until { second.isFinished }
            #expect(log.all == ["a 11", "first", "end 20"])
            let left = await code {
                try await fixture.alice.privateCloudDatabase.record(for: CKRecord.ID(recordName: "b"))
            }
            #expect(left == .unknownItem)
        },
        Sentence("A block can wait for a block of another operation without a deadlock") { fixture in
            let log = Log()
            let other = DispatchSemaphore(value: 0)
            let waits = CKFetchRecordsOperation.heard("a", in: fixture.alice, log)
            waits.fetchRecordsResultBlock = { _ in
                other.wait()
                log.add("waited")
            }
            let signals = CKFetchRecordsOperation.heard("b", in: fixture.alice, Log())
            signals.fetchRecordsResultBlock = { _ in
                log.add("signalled")
                other.signal()
            }
            fixture.alice.privateCloudDatabase.add(waits)
            try await until { log.all == ["a 11"] }
            fixture.alice.privateCloudDatabase.add(signals)
            try await until { waits.isFinished && signals.isFinished }
            #expect(log.all == ["a 11", "signalled", "waited"])
        },
        Sentence("A cancelled operation finishes, and the operations that depend on it run") { fixture in
            let log = Log()
            let first = CKFetchRecordsOperation.heard("a", in: fixture.alice, log)
            let second = CKFetchRecordsOperation.heard("b", in: fixture.alice, log)
            second.addDependency(first)
            first.cancel()
            OperationQueue().addOperation(first)
            await second.run()
            #expect(log.all == ["end 20", "b 11", "end 0"])
            #expect(!second.isCancelled)
        },
        Sentence("Each class of operations applies its quality of service") { fixture in
            for kind in OperationKind.all {
                let limits = Log()
                let operation = kind.make(Log(), false)
                operation.database =
                    fixture.watched { limits.add("\($0.timeout == nil)") }.privateCloudDatabase
                operation.qualityOfService = .userInitiated
                await operation.run()
                #expect(limits.all == ["true"], "\(kind.name)")
            }
        },
    ]
}
