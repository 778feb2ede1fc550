import Cloudlet
import Foundation
import Testing

@Suite("Operations")
struct OperationTests {
    private static let failed =
        #"{"recordName":"b","serverErrorCode":"CONFLICT","reason":"client oplock error"}"#
    private static let mixed =
        #"{"records":[\#(answered("a")),\#(failed),{"recordName":"c","deleted":true}]}"#

    private func modify(_ transport: ScriptedTransport) -> CKModifyRecordsOperation {
        let operation = CKModifyRecordsOperation(
            recordsToSave: ["a", "b"].map {
                CKRecord(recordType: "Party", recordID: CKRecord.ID(recordName: $0))
            },
            recordIDsToDelete: [CKRecord.ID(recordName: "c")]
        )
        operation.database = CKContainer.scripted(transport).publicCloudDatabase
        return operation
    }

    @Test("The older blocks run in order and the last one gets partialFailure")
    func olderBlocks() async {
        let log = Log()
        let operation = modify(ScriptedTransport(("records/modify", .answer(200, Self.mixed))))
        operation.perRecordProgressBlock = { record, done in
            log.add("progress \(record.recordID.recordName) \(done)")
        }
        operation.perRecordCompletionBlock = { record, error in
            log.add("record \(record.recordID.recordName) \((error as? CKError)?.code.rawValue ?? 0)")
        }
        operation.modifyRecordsCompletionBlock = { saved, deleted, error in
            let errors = (error as? CKError)?.partialErrorsByItemID ?? [:]
            let names = errors.keys.compactMap { ($0.base as? CKRecord.ID)?.recordName }
            log.add(
                "end \(saved?.count ?? -1) \(deleted?.count ?? -1) "
                    + "\((error as? CKError)?.code.rawValue ?? 0) \(names)"
            )
        }
        await operation.run()
        #expect(log.all == ["progress a 1.0", "record a 0", "record b 14", #"end 1 1 2 ["b"]"#])
        #expect(operation.isFinished)
        #expect(!operation.isExecuting)
    }

    @Test("Result blocks replace the older ones, and get success if only items failed")
    func resultBlocks() async {
        let log = Log()
        let operation = modify(ScriptedTransport(("records/modify", .answer(200, Self.mixed))))
        operation.perRecordCompletionBlock = { _, _ in log.add("older") }
        operation.modifyRecordsCompletionBlock = { _, _, _ in log.add("older") }
        operation.perRecordSaveBlock = { id, result in
            log.add("save \(id.recordName) \((result.failure as? CKError)?.code.rawValue ?? 0)")
        }
        operation.perRecordDeleteBlock = { id, result in
            log.add("delete \(id.recordName) \(result.failure == nil)")
        }
        operation.modifyRecordsResultBlock = { log.add("end \($0.failure == nil)") }
        await operation.run()
        #expect(log.all == ["save a 0", "save b 14", "delete c true", "end true"])
    }

    @Test("If a request fails as a whole, the operation fails")
    func wholeFailure() async {
        let log = Log()
        let operation = modify(ScriptedTransport(("records/modify", .answer(503, "{}"))))
        operation.perRecordSaveBlock = { id, _ in log.add(id.recordName) }
        operation.modifyRecordsResultBlock = { log.add("\(($0.failure as? CKError)?.code.rawValue ?? 0)") }
        await operation.run()
        #expect(log.all == ["\(CKError.Code.serviceUnavailable.rawValue)"])
    }

    @Test("If a proxy answers instead of the server, the service is unavailable", arguments: [502, 503, 504])
    func proxy(status: Int) async {
        let transport = ScriptedTransport(("records/modify", .answer(status, "<html>Bad gateway</html>")))
        let operation = modify(transport)
        let log = Log()
        operation.modifyRecordsResultBlock = { result in
            guard let error = result.failure as? CKError else { return }
            log.add("\(error.code.rawValue) \(error.localizedDescription)")
        }
        await operation.run()
        #expect(log.all.count == 1)
        #expect(log.all.first?.hasPrefix("\(CKError.Code.serviceUnavailable.rawValue) ") == true)
        #expect(log.all.first?.lowercased().contains("a proxy answered with status \(status)") == true)
    }

    @Test("If a zone does not exist, each of its items fails")
    func zoneFailure() async {
        let log = Log()
        let missing = #"{"serverErrorCode":"ZONE_NOT_FOUND","reason":"no such zone"}"#
        let operation = modify(ScriptedTransport(("records/modify", .answer(404, missing))))
        operation.perRecordSaveBlock = { id, result in
            log.add("\(id.recordName) \((result.failure as? CKError)?.code.rawValue ?? 0)")
        }
        operation.modifyRecordsResultBlock = { log.add("end \($0.failure == nil)") }
        await operation.run()
        #expect(log.all == ["a 26", "b 26", "end true"])
    }

    @Test("An operation without input succeeds without a request")
    func nothing() async {
        let transport = ScriptedTransport()
        let operation = CKModifyRecordsOperation()
        operation.database = CKContainer.scripted(transport).privateCloudDatabase
        let log = Log()
        operation.modifyRecordsResultBlock = { log.add("end \($0.failure == nil)") }
        await operation.run()
        #expect(log.all == ["end true"])
        #expect(await transport.asked.isEmpty)
    }

    @Test("Cancelling a task cancels its call")
    func cancellingTask() async {
        let transport = ScriptedTransport(("records/lookup", .waitForCancellation))
        let database = CKContainer.scripted(transport).publicCloudDatabase
        let task = Task { try await database.record(for: CKRecord.ID(recordName: "a")) }
        for await _ in transport.waiting { break }
        task.cancel()
        let result = await task.result
        #expect((result.failure as? CKError)?.code == .operationCancelled)
    }

    @Test("A fetch reports each record, and the older block gets all of them")
    func fetching() async {
        let log = Log()
        let missing = #"{"recordName":"b","serverErrorCode":"NOT_FOUND","reason":"Record not found"}"#
        let transport = ScriptedTransport(
            ("records/lookup", .answer(200, #"{"records":[\#(answered("a")),\#(missing)]}"#)))
        let operation = CKFetchRecordsOperation(
            recordIDs: ["a", "b", "a"].map { CKRecord.ID(recordName: $0) })
        operation.database = CKContainer.scripted(transport).publicCloudDatabase
        operation.desiredKeys = []
        operation.perRecordCompletionBlock = { record, id, error in
            log.add("\(id?.recordName ?? "") \(record != nil) \((error as? CKError)?.code.rawValue ?? 0)")
        }
        operation.fetchRecordsCompletionBlock = { records, error in
            log.add("end \(records?.count ?? -1) \((error as? CKError)?.code.rawValue ?? 0)")
        }
        await operation.run()
        #expect(log.all == ["a true 0", "b false 11", "end 1 2"])
        #expect(await transport.asked.first?.body.contains(#""desiredKeys":[]"#) == true)
    }

    @Test("The current user's record is fetched by its name")
    func currentUser() async {
        let log = Log()
        let transport = ScriptedTransport(
            ("users/caller", .answer(200, #"{"userRecordName":"_me"}"#)),
            ("records/lookup", .answer(200, #"{"records":[\#(answered("_me"))]}"#)))
        let operation = CKFetchRecordsOperation.fetchCurrentUserRecordOperation()
        operation.database = CKContainer.scripted(transport).publicCloudDatabase
        operation.perRecordResultBlock = { id, _ in log.add(id.recordName) }
        await operation.run()
        #expect(log.all == ["_me"])
    }

    @Test("Properties that a configuration does not set come from the group")
    func configurations() {
        let group = CKOperationGroup()
        let shared = CKOperation.Configuration()
        shared.timeoutIntervalForRequest = 5
        shared.qualityOfService = .userInitiated
        group.defaultConfiguration = shared
        shared.timeoutIntervalForRequest = 7
        #expect(group.defaultConfiguration.timeoutIntervalForRequest == 5)
        let operation = CKQueryOperation()
        operation.group = group
        let own = CKOperation.Configuration()
        own.timeoutIntervalForRequest = 9
        operation.configuration = own
        #expect(operation.configuration.timeoutIntervalForRequest == 9)
        #expect(operation.timeoutIntervalForRequest == 9)
        operation.configuration = nil
        #expect(operation.configuration.timeoutIntervalForRequest == 60)
        #expect(CKOperation.Configuration().timeoutIntervalForResource == 604_800)
        #expect(shared.timeoutIntervalForResource == -1)
    }
}
