// Owns the table of what is said of operations: one row a sentence, each checked.

import CloudKit
import CloudletTesting
import Foundation
import Testing

@Suite("Operations, sentence by sentence")
struct OperationSentenceTests {
    /// A sentence and whether it holds.
    struct Sentence: Sendable, CustomTestStringConvertible {
        let text: String
        let holds: @Sendable () async throws -> Bool

        init(_ text: String, _ holds: @escaping @Sendable () async throws -> Bool) {
            self.text = text
            self.holds = holds
        }

        var testDescription: String { text }
    }

    private static func configured(
        own: (CKOperation.Configuration) -> Void = { _ in },
        group: ((CKOperation.Configuration) -> Void)? = nil
    ) -> CKFetchRecordsOperation {
        let operation = CKFetchRecordsOperation(recordIDs: [CKRecord.ID(recordName: "a")])
        let configuration = CKOperation.Configuration()
        own(configuration)
        operation.configuration = configuration
        if let group {
            let shared = CKOperationGroup()
            let defaults = CKOperation.Configuration()
            group(defaults)
            shared.defaultConfiguration = defaults
            operation.group = shared
        }
        return operation
    }

    /// The limits with which the operation's request goes out.
    private static func limits(_ operation: CKDatabaseOperation) async -> [Duration?] {
        let seen = Log()
        let transport = WatchedTransport(ScriptedTransport()) { request in
            let limits = [request.idleTimeout, request.timeout].map { $0?.components.seconds ?? -1 }
            seen.add(limits.map(String.init).joined(separator: " "))
        }
        operation.database = CKContainer.over(transport).privateCloudDatabase
        await operation.run()
        let numbers = seen.all.first?.split(separator: " ").compactMap { Int($0) } ?? []
        return numbers.map { $0 < 0 ? nil : .seconds($0) }
    }

    static let configuration: [Sentence] = [
        Sentence("A configuration is copied in and out") {
            let configuration = CKOperation.Configuration()
            let operation = CKFetchRecordsOperation(recordIDs: [])
            operation.configuration = configuration
            configuration.timeoutIntervalForRequest = 7
            operation.configuration.timeoutIntervalForRequest = 8
            return operation.configuration.timeoutIntervalForRequest == 60
        },
        Sentence("Setting no configuration restores the defaults") {
            let operation = configured { $0.timeoutIntervalForRequest = 7 }
            operation.configuration = nil
            return operation.configuration.timeoutIntervalForRequest == 60
        },
        Sentence("What the operation sets counts more than what its group sets, property by property") {
            await limits(
                configured {
                    $0.timeoutIntervalForRequest = 7
                } group: {
                    $0.timeoutIntervalForRequest = 8
                    $0.timeoutIntervalForResource = 9
                }) == [.seconds(7), .seconds(9)]
        },
        Sentence("An explicit value that is the default counts as explicit") {
            await limits(
                configured {
                    $0.timeoutIntervalForRequest = 60
                } group: {
                    $0.timeoutIntervalForRequest = 8
                }
            ).first == .seconds(60)
        },
        Sentence("Without either, the defaults hold: a minute, and a week") {
            await limits(configured()) == [.seconds(60), .seconds(604_800)]
        },
        Sentence("Urgent work has no limit for the whole") {
            await limits(configured { $0.qualityOfService = .userInitiated }) == [.seconds(60), nil]
        },
        Sentence("A quality of service that is set on the operation itself is heeded") {
            let operation = configured()
            operation.qualityOfService = .userInteractive
            return await limits(operation) == [.seconds(60), nil]
        },
        Sentence("The older properties forward to the configuration") {
            let operation = configured()
            operation.timeoutIntervalForResource = 5
            operation.allowsCellularAccess = false
            operation.isLongLived = true
            let now = operation.configuration
            return now?.timeoutIntervalForResource == 5 && now?.allowsCellularAccess == false
                && now?.isLongLived == true
        },
        Sentence("Setting the database sets the container of the configuration") {
            let operation = configured()
            let container = CKContainer.scripted(ScriptedTransport())
            operation.database = container.publicCloudDatabase
            return operation.configuration.container?.containerIdentifier == container.containerIdentifier
        },
    ]

    static let life: [Sentence] = [
        Sentence("Every operation has an ID of its own, which stays") {
            let operation = configured()
            return operation.operationID == operation.operationID
                && operation.operationID != configured().operationID
        },
        Sentence("An operation with nothing to do ends with success and asks nothing") {
            let transport = ScriptedTransport()
            let log = Log()
            let operation = CKModifyRecordsOperation()
            operation.modifyRecordsResultBlock = { log.add("\($0.code)") }
            operation.database = CKContainer.scripted(transport).privateCloudDatabase
            await operation.run()
            let asked = await transport.asked
            return log.all == ["0"] && asked.isEmpty
        },
        Sentence("Where the newer block is set, the older one hears nothing") {
            let log = Log()
            let operation = CKFetchRecordsOperation(recordIDs: [CKRecord.ID(recordName: "a")])
            operation.perRecordResultBlock = { log.add("new \($1.code)") }
            operation.perRecordCompletionBlock = { _, _, _ in log.add("old item") }
            operation.fetchRecordsResultBlock = { log.add("end \($0.code)") }
            operation.fetchRecordsCompletionBlock = { _, _ in log.add("old end") }
            let missing = #"{"records":[{"recordName":"a","serverErrorCode":"NOT_FOUND"}]}"#
            operation.database =
                CKContainer.scripted(ScriptedTransport(("records/lookup", .answer(200, missing))))
                .privateCloudDatabase
            await operation.run()
            return log.all == ["new 11", "end 0"]
        },
        Sentence("The older block hears of items that failed as a partial failure, the newer one of success")
        {
            let log = Log()
            let operation = CKFetchRecordsOperation(recordIDs: [CKRecord.ID(recordName: "a")])
            operation.fetchRecordsCompletionBlock = { found, error in
                log.add("\(found?.count ?? -1) \(error.code)")
            }
            let missing = #"{"records":[{"recordName":"a","serverErrorCode":"NOT_FOUND"}]}"#
            operation.database =
                CKContainer.scripted(ScriptedTransport(("records/lookup", .answer(200, missing))))
                .privateCloudDatabase
            await operation.run()
            return log.all == ["0 2"]
        },
        Sentence("It works in any queue, also one that waits until all is finished") {
            let log = Log()
            let operation = configured()
            operation.fetchRecordsResultBlock = { _ in log.add("end") }
            operation.database = CKContainer.scripted(ScriptedTransport()).privateCloudDatabase
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            queue.addOperation(operation)
            await withCheckedContinuation { done in queue.addBarrierBlock { done.resume() } }
            return log.all == ["end"] && operation.isFinished
        },
        Sentence("Cancelling what it depends on does not cancel it") {
            let first = configured()
            let second = configured()
            let log = Log()
            second.fetchRecordsResultBlock = { _ in log.add("\(second.isCancelled)") }
            for operation in [first, second] {
                operation.database = CKContainer.scripted(ScriptedTransport()).privateCloudDatabase
            }
            second.addDependency(first)
            first.cancel()
            let queue = OperationQueue()
            queue.addOperation(first)
            await second.run()
            return log.all == ["false"] && first.isFinished
        },
    ]

    @Test("Configurations", arguments: configuration)
    func configurations(_ sentence: Sentence) async throws {
        #expect(try await sentence.holds())
    }

    @Test("Life", arguments: life)
    func lives(_ sentence: Sentence) async throws {
        #expect(try await sentence.holds())
    }
}
