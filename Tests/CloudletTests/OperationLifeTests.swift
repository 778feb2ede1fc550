import Cloudlet
import Foundation
import Synchronization
import Testing

@Suite("Starting, cancelling and ending operations")
struct OperationLifeTests {
    private func run(
        _ kind: OperationKind, older: Bool, _ transport: any CloudTransport, _ log: Log,
        in queue: OperationQueue = OperationQueue(), meanwhile: (CKOperation) async -> Void = { _ in }
    ) async -> CKOperation {
        let operation = kind.make(log, older)
        operation.database = CKContainer.over(transport).privateCloudDatabase
        async let end: Void = operation.run(in: queue)
        await meanwhile(operation)
        await end
        log.add("completion")
        return operation
    }

    @Test(
        "An operation cancelled before it starts sends nothing and ends once", arguments: OperationKind.all,
        [false, true])
    func cancelledBefore(_ kind: OperationKind, older: Bool) async {
        let transport = ScriptedTransport()
        let log = Log()
        let operation = kind.make(log, older)
        operation.database = CKContainer.scripted(transport).privateCloudDatabase
        let queue = OperationQueue()
        queue.isSuspended = true
        #expect(operation.isReady)
        operation.cancel()
        async let end: Void = operation.run(in: queue)
        queue.isSuspended = false
        await end
        #expect(log.all == ["end 20"])
        #expect(await transport.asked.isEmpty)
        #expect(operation.isFinished && operation.isCancelled && !operation.isExecuting)
    }

    @Test(
        "An operation cancelled while it waits for an answer ends once", arguments: OperationKind.all,
        [false, true])
    func cancelledDuring(_ kind: OperationKind, older: Bool) async {
        let transport = ScriptedTransport((kind.endpoint, .waitForCancellation))
        let log = Log()
        let operation = await run(kind, older: older, transport, log) { operation in
            for await _ in transport.waiting { break }
            #expect(operation.isExecuting)
            operation.cancel()
            operation.cancel()
        }
        #expect(log.all == ["end 20", "completion"])
        #expect(operation.isFinished && !operation.isExecuting)
    }

    @Test("Cancelling or starting an operation after its end has no effect", arguments: OperationKind.all)
    func cancelledAfter(_ kind: OperationKind) async {
        let transport = ScriptedTransport((kind.endpoint, .answer(503, "{}")))
        let log = Log()
        let operation = await run(kind, older: false, transport, log)
        operation.cancel()
        operation.start()
        #expect(operation.isFinished && !operation.isExecuting)
        #expect(log.all == ["end 6", "completion"])
        #expect(await transport.asked.count == 1)
    }

    @Test("Blocks run one at a time off the main thread, the result block last, then completionBlock")
    func order() async {
        let records = (0..<20).map { party("\($0)") }
        let answers = records.map { answered($0.recordID.recordName) }.joined(separator: ",")
        let transport = ScriptedTransport(("records/modify", .answer(200, #"{"records":[\#(answers)]}"#)))
        let log = Log()
        let inside = Mutex(0)
        @Sendable func note(_ line: String) {
            let others = inside.withLock { count in
                count += 1
                return count - 1
            }
            if others > 0 || Thread.isMainThread { log.add("overlap") }
            log.add(line)
            inside.withLock { $0 -= 1 }
        }
        let operation = CKModifyRecordsOperation(recordsToSave: records)
        operation.database = CKContainer.scripted(transport).publicCloudDatabase
        operation.perRecordProgressBlock = { record, done in note("p\(record.recordID.recordName) \(done)") }
        operation.perRecordSaveBlock = { id, _ in note("s\(id.recordName)") }
        operation.modifyRecordsResultBlock = { _ in note("end") }
        await operation.run()
        log.add("completion")
        let expected = (0..<20).flatMap { ["p\($0) 1.0", "s\($0)"] }
        #expect(log.all == expected + ["end", "completion"])
    }

    @Test("Dependencies between operations work across queues and containers")
    func dependencies() async throws {
        let first = ScriptedTransport(("records/lookup", .answer(200, #"{"records":[\#(answered("a"))]}"#)))
        let second = ScriptedTransport(
            ("records/modify", .answer(200, #"{"records":[\#(answered("a", tag: "2"))]}"#)))
        let log = Log()
        let found = Mutex<CKRecord?>(nil)
        let fetch = CKFetchRecordsOperation(recordIDs: [CKRecord.ID(recordName: "a")])
        fetch.database = CKContainer.scripted(first).privateCloudDatabase
        fetch.perRecordResultBlock = { _, result in found.withLock { $0 = try? result.get() } }
        fetch.fetchRecordsResultBlock = { _ in log.add("fetched") }
        let save = CKModifyRecordsOperation()
        save.database = CKContainer.scripted(second).privateCloudDatabase
        save.modifyRecordsResultBlock = { log.add("saved \($0.code)") }
        let change = BlockOperation {
            let record = found.withLock { $0 }
            record?["guests"] = 3
            save.recordsToSave = record.map { [$0] }
            log.add("changed")
        }
        change.addDependency(fetch)
        save.addDependency(change)
        async let end: Void = save.run()
        OperationQueue().addOperation(change)
        #expect(await second.asked.isEmpty)
        CKContainer.scripted(first).privateCloudDatabase.add(fetch)
        await end
        #expect(log.all == ["fetched", "changed", "saved 0"])
        #expect(await second.asked.first?.body.contains(#""recordChangeTag":"1""#) == true)
    }

    @Test(
        "The quality of service is the operation's own, else its group's, else the default",
        arguments: [
            (QualityOfService.background, nil, TaskPriority.background),
            (.utility, QualityOfService.userInitiated, .utility), (nil, .userInitiated, .userInitiated),
            (nil, nil, .medium),
        ] as [(QualityOfService?, QualityOfService?, TaskPriority)])
    func urgency(_ own: QualityOfService?, _ shared: QualityOfService?, _ expected: TaskPriority) async {
        let seen = Mutex<TaskPriority?>(nil)
        let transport = WatchedTransport(ScriptedTransport()) { _ in
            seen.withLock { $0 = Task.basePriority }
        }
        let operation = OperationKind.query.make(Log(), false)
        let chosen = CKOperation.Configuration()
        if let own { chosen.qualityOfService = own }
        operation.configuration = chosen
        operation.database = CKContainer.over(transport).publicCloudDatabase
        let group = CKOperationGroup()
        let defaults = CKOperation.Configuration()
        if let shared { defaults.qualityOfService = shared }
        group.defaultConfiguration = defaults
        operation.group = group
        await operation.run()
        #expect(seen.withLock { $0 } == expected)
    }

    @Test("Without a database, an operation uses the private one of its or its group's container")
    func whichDatabase() async throws {
        let transport = ScriptedTransport()
        let other = ScriptedTransport()
        let group = CKOperationGroup()
        let defaults = CKOperation.Configuration()
        defaults.container = CKContainer.scripted(transport)
        group.defaultConfiguration = defaults
        let operation = OperationKind.query.make(Log(), false)
        operation.group = group
        await operation.run()
        #expect(await transport.asked.first?.target.contains("/private/") == true)
        let own = OperationKind.query.make(Log(), false)
        own.group = group
        own.database = CKContainer.scripted(other).publicCloudDatabase
        #expect(own.configuration.container?.containerIdentifier == "iCloud.test")
        await own.run()
        #expect(await other.asked.first?.target.contains("/public/") == true)
        #expect(await transport.asked.count == 1)
    }
}
