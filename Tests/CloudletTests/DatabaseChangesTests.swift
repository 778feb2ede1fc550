import Cloudlet
import Foundation
import Testing

@Suite("Fetching the list of changed zones")
struct DatabaseChangesTests {
    private static func gone(_ name: String, _ reason: Int?) -> String {
        let detail = reason.map { #","cloudlet":{"reason":\#($0)}"# } ?? ""
        return #"{"zoneID":{"zoneName":"\#(name)"},"deleted":true\#(detail)}"#
    }

    private static let firstPage = """
        {"zones":[{"zoneID":{"zoneName":"A"},"syncToken":"AQ=="},{"zoneID":{"zoneName":"_defaultZone"}},\
        \(gone("B", nil)),\(gone("C", 2)),\(gone("D", 3))],"syncToken":"Ag==","moreComing":true}
        """
    private static let lastPage = #"{"zones":[\#(gone("E", 2))],"syncToken":"Aw==","moreComing":false}"#

    private func script() -> ScriptedTransport {
        ScriptedTransport(
            ("changes/database", .answer(200, Self.firstPage)),
            ("changes/database", .answer(200, Self.lastPage)))
    }

    private func operation(_ transport: ScriptedTransport, _ log: Log) -> CKFetchDatabaseChangesOperation {
        let operation = CKFetchDatabaseChangesOperation(previousServerChangeToken: nil)
        operation.database = CKContainer.scripted(transport).privateCloudDatabase
        operation.recordZoneWithIDChangedBlock = { log.add("changed \($0.zoneName)") }
        operation.recordZoneWithIDWasDeletedBlock = { log.add("deleted \($0.zoneName)") }
        operation.changeTokenUpdatedBlock = { log.add("token \($0)") }
        operation.fetchDatabaseChangesResultBlock = { result in
            let end = (try? result.get()).map { "\($0.serverChangeToken) \($0.moreComing)" } ?? "-"
            log.add("end \(result.code) \(end)")
        }
        return operation
    }

    @Test("Each deletion reason calls its block, all pages are fetched, and the default zone is left out")
    func reasons() async throws {
        let log = Log()
        let transport = script()
        let operation = operation(transport, log)
        operation.resultsLimit = 4
        operation.recordZoneWithIDWasPurgedBlock = { log.add("purged \($0.zoneName)") }
        operation.recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock = {
            log.add("reset \($0.zoneName)")
        }
        await operation.run()
        #expect(
            log.all == [
                "changed A", "deleted B", "purged C", "reset D", "token <CKServerChangeToken: Ag==>",
                "purged E", "end 0 <CKServerChangeToken: Aw==> false",
            ])
        #expect(
            await transport.asked.map(\.body) == [
                #"{"resultsLimit":4}"#, #"{"syncToken":"Ag==","resultsLimit":4}"#,
            ])
    }

    @Test("The block for deleted zones is also called for reasons whose own block is not set")
    func fallback() async throws {
        let log = Log()
        let operation = operation(script(), log)
        operation.fetchAllChanges = false
        await operation.run()
        #expect(
            log.all == [
                "changed A", "deleted B", "deleted C", "deleted D", "end 0 <CKServerChangeToken: Ag==> true",
            ])
    }

    @Test("With an expired token the operation fails, in the result block and in the older block")
    func expired() async throws {
        let answer =
            #"{"serverErrorCode":"BAD_REQUEST","reason":"no","cloudlet":{"code":"changeTokenExpired"}}"#
        let log = Log()
        await operation(ScriptedTransport(("changes/database", .answer(400, answer))), log).run()
        let older = operation(ScriptedTransport(("changes/database", .answer(400, answer))), Log())
        older.fetchDatabaseChangesResultBlock = nil
        older.fetchDatabaseChangesCompletionBlock = { token, more, error in
            log.add("\(token == nil) \(more) \(error.code)")
        }
        await older.run()
        #expect(log.all == ["end 21 -", "true false 21"])
    }

    @Test("A feed that repeats its token or cannot be decoded fails instead of looping forever")
    func broken() async throws {
        let page = #"{"zones":[],"syncToken":"AQ==","moreComing":true}"#
        let log = Log()
        let still = ScriptedTransport(
            ("changes/database", .answer(200, page)), ("changes/database", .answer(200, page)))
        await operation(still, log).run()
        let unreadable = #"{"zones":[{"zoneID":7}],"syncToken":"AQ==","moreComing":false}"#
        await operation(ScriptedTransport(("changes/database", .answer(200, unreadable))), log).run()
        #expect(log.all.last == "end 15 -")
        #expect(log.all.first { $0.hasPrefix("end") } == "end 1 -")
    }

    @Test("The convenience methods fetch one page each, with the deletion reasons")
    func convenience() async throws {
        let database = CKContainer.scripted(script()).privateCloudDatabase
        let page = try await database.databaseChanges(since: nil)
        #expect(page.modifications.map(\.zoneID.zoneName) == ["A"])
        #expect(page.deletions.map(\.zoneID.zoneName) == ["B", "C", "D"])
        #expect(page.deletions.map(\.reason) == [.deleted, .purged, .encryptedDataReset])
        #expect(page.moreComing)
        let next = await withCheckedContinuation { done in
            database.fetchDatabaseChanges(since: page.changeToken, resultsLimit: 9) { result in
                done.resume(returning: (try? result.get())?.deletions.first?.reason)
            }
        }
        #expect(next == .purged)
    }

    @Test("The deprecated single-zone operation fetches one page of the same feed")
    @available(*, deprecated, message: "What it tests is deprecated.")
    func olderOperation() async throws {
        let page = """
            {"zones":[{"zoneID":{"zoneName":"Z"},"records":[\(answered("a")),\
            {"recordName":"b","deleted":true,"recordType":null}],"syncToken":"AQ==","moreComing":true}]}
            """
        let expired = """
            {"zones":[{"zoneID":{"zoneName":"Z"},"serverErrorCode":"CHANGE_TOKEN_EXPIRED","reason":"no"}]}
            """
        let transport = ScriptedTransport(
            ("changes/zone", .answer(200, page)), ("changes/zone", .answer(200, expired)))
        let zone = CKRecordZone.ID(zoneName: "Z")
        let log = Log()
        for number in 0..<2 {
            let operation = CKFetchRecordChangesOperation(recordZoneID: zone, previousServerChangeToken: nil)
            operation.database = CKContainer.scripted(transport).privateCloudDatabase
            operation.resultsLimit = 2
            operation.recordChangedBlock = { log.add("record \($0.recordID.recordName)") }
            operation.recordWithIDWasDeletedBlock = { log.add("gone \($0.recordName)") }
            operation.fetchRecordChangesCompletionBlock = { [unowned operation] token, _, error in
                log.add("end \(number) \(token != nil) \(error.code) \(operation.moreComing)")
            }
            await operation.run()
        }
        #expect(log.all == ["record a", "gone b", "end 0 true 0 true", "end 1 false 21 false"])
    }

    @Test("The deprecated options set the same configuration")
    @available(*, deprecated, message: "What it tests is deprecated.")
    func olderOptions() throws {
        let zone = CKRecordZone.ID(zoneName: "Z")
        let options = CKFetchRecordZoneChangesOperation.ZoneOptions()
        options.resultsLimit = 3
        options.desiredKeys = ["a"]
        let operation = CKFetchRecordZoneChangesOperation(
            recordZoneIDs: [zone], optionsByRecordZoneID: [zone: options])
        #expect(operation.configurationsByRecordZoneID?[zone]?.resultsLimit == 3)
        #expect(operation.optionsByRecordZoneID?[zone]?.desiredKeys == ["a"])
        #expect((options.copy() as? CKFetchRecordZoneChangesOptions)?.resultsLimit == 3)
    }

    @Test("A zone configuration keeps its values in an archive, and copies are independent")
    func archives() throws {
        let wishes = CKFetchRecordZoneChangesOperation.ZoneConfiguration(resultsLimit: 5, desiredKeys: ["a"])
        let data = try NSKeyedArchiver.archivedData(withRootObject: wishes, requiringSecureCoding: true)
        let kept = try #require(
            try NSKeyedUnarchiver.unarchivedObject(
                ofClass: CKFetchRecordZoneChangesConfiguration.self, from: data))
        #expect(kept.resultsLimit == 5)
        #expect(kept.desiredKeys == ["a"])
        #expect(kept.previousServerChangeToken == nil)
        let copy = try #require(wishes.copy() as? CKFetchRecordZoneChangesConfiguration)
        copy.resultsLimit = 6
        #expect(wishes.resultsLimit == 5)
    }
}
