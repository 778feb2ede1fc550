import Cloudlet
import Foundation
import Synchronization
import Testing

@Suite("Fetching the changes of zones")
struct ZoneChangesTests {
    private static let parties = CKRecordZone.ID(zoneName: "Parties")
    private static let clowns = CKRecordZone.ID(zoneName: "Clowns")

    private static func feed(
        _ zone: String, _ records: [String], token: String, more: Bool = false
    ) -> String {
        """
        {"zoneID":{"zoneName":"\(zone)","ownerRecordName":"_me"},\
        "records":[\(records.joined(separator: ","))],\
        "syncToken":"\(token)","moreComing":\(more)}
        """
    }

    private static func zones(_ feeds: String...) -> String {
        #"{"zones":[\#(feeds.joined(separator: ","))]}"#
    }

    private static func gone(_ name: String) -> String {
        #"{"recordName":"\#(name)","deleted":true,"recordType":null,"cloudlet":{"recordType":"Clown"}}"#
    }

    private static func failed(_ zone: String, _ code: String, detail: String) -> String {
        """
        {"zoneID":{"zoneName":"\(zone)"},"serverErrorCode":"\(code)","reason":"no",\
        "cloudlet":{"code":"\(detail)"}}
        """
    }

    private func operation(
        _ zones: [CKRecordZone.ID], _ transport: some CloudTransport, _ log: Log
    ) -> CKFetchRecordZoneChangesOperation {
        let operation = CKFetchRecordZoneChangesOperation(recordZoneIDs: zones)
        operation.database = CKContainer.over(transport).privateCloudDatabase
        operation.recordWasChangedBlock = { id, result in log.add("record \(id.recordName) \(result.code)") }
        operation.recordWithIDWasDeletedBlock = { id, type in log.add("gone \(id.recordName) \(type)") }
        operation.recordZoneChangeTokensUpdatedBlock = { id, token, data in
            log.add("token \(id.zoneName) \(token.map { "\($0)" } ?? "-") \(data == nil)")
        }
        operation.recordZoneFetchResultBlock = { id, result in
            let more = (try? result.get()).map { "\($0.serverChangeToken) \($0.moreComing)" } ?? "-"
            log.add("zone \(id.zoneName) \(result.code) \(more)")
        }
        operation.fetchRecordZoneChangesResultBlock = { log.add("end \($0.code)") }
        return operation
    }

    @Test("Several zones share a request; each reports tokens between pages and ends once")
    func severalZones() async throws {
        let log = Log()
        let transport = ScriptedTransport(
            (
                "changes/zone",
                .answer(
                    200,
                    Self.zones(
                        Self.feed("Parties", [answered("a"), Self.gone("b")], token: "AQ==", more: true),
                        Self.feed("Clowns", [answered("c")], token: "Ag==")))
            ),
            ("changes/zone", .answer(200, Self.zones(Self.feed("Parties", [answered("d")], token: "Aw==")))))
        let operation = operation([Self.parties, Self.clowns], transport, log)
        operation.configurationsByRecordZoneID = [
            Self.parties: .init(resultsLimit: 2, desiredKeys: ["name"])
        ]
        await operation.run()
        #expect(
            log.all == [
                "record a 0", "gone b Clown", "token Parties <CKServerChangeToken: AQ==> true", "record c 0",
                "zone Clowns 0 <CKServerChangeToken: Ag==> false", "record d 0",
                "zone Parties 0 <CKServerChangeToken: Aw==> false", "end 0",
            ])
        let bodies = await transport.asked.map(\.body)
        #expect(bodies.count == 2)
        let parties = #"{"zoneID":{"zoneName":"Parties"},"resultsLimit":2,"desiredKeys":["name"]}"#
        #expect(bodies[0] == #"{"zones":[\#(parties),{"zoneID":{"zoneName":"Clowns"}}]}"#)
        #expect(bodies[1].contains(#""syncToken":"AQ==""#))
        #expect(!bodies[1].contains("Clowns"))
    }

    @Test("With fetchAllChanges false there is one page per zone, and no token before its end")
    func onePage() async throws {
        let log = Log()
        let page = Self.feed("Parties", [answered("a")], token: "AQ==", more: true)
        let transport = ScriptedTransport(("changes/zone", .answer(200, Self.zones(page))))
        let operation = operation([Self.parties], transport, log)
        operation.fetchAllChanges = false
        await operation.run()
        #expect(
            log.all == ["record a 0", "zone Parties 0 <CKServerChangeToken: AQ==> true", "end 0"])
        #expect(await transport.isFinished)
    }

    @Test("An error of a zone is that zone's result, and part of the older block's partialFailure")
    func zoneFailures() async throws {
        let answer = Self.zones(
            Self.failed("Parties", "BAD_REQUEST", detail: "changeTokenExpired"),
            Self.failed("Clowns", "ZONE_NOT_FOUND", detail: "zoneNotFound"),
            Self.failed("Notes", "BAD_REQUEST", detail: "badRequest"))
        let notes = CKRecordZone.ID(zoneName: "Notes")
        let ids = [Self.parties, Self.clowns, notes, .default]
        let log = Log()
        await operation(ids, ScriptedTransport(("changes/zone", .answer(200, answer))), log).run()
        #expect(
            log.all == [
                "zone _defaultZone 15 -", "zone Parties 21 -", "zone Clowns 26 -", "zone Notes 12 -", "end 0",
            ])
        let older = Log()
        let operation = operation(ids, ScriptedTransport(("changes/zone", .answer(200, answer))), Log())
        operation.recordZoneFetchResultBlock = nil
        operation.fetchRecordZoneChangesResultBlock = nil
        operation.recordZoneFetchCompletionBlock = { id, token, data, more, error in
            older.add("\(id.zoneName) \(token == nil) \(data == nil) \(more) \(error.code)")
        }
        operation.fetchRecordZoneChangesCompletionBlock = { error in
            let partial = (error as? CKError)?.partialErrorsByItemID ?? [:]
            let codes = ids.map { (partial[$0] as? CKError)?.code.rawValue ?? 0 }
            older.add("end \(error.code) \(codes)")
        }
        await operation.run()
        #expect(
            older.all == [
                "_defaultZone true true false 15", "Parties true true false 21", "Clowns true true false 26",
                "Notes true true false 12", "end 2 [21, 26, 12, 15]",
            ])
    }

    @Test("A token delivered before an error stays valid with the changes before it")
    func resume() async throws {
        let log = Log()
        let first = Self.feed("Parties", [answered("a")], token: "AQ==", more: true)
        let second = Self.feed("Parties", [answered("b")], token: "Ag==")
        let transport = ScriptedTransport(
            ("changes/zone", .answer(200, Self.zones(first))),
            ("changes/zone", .failure(.connectionLost("x"))),
            ("changes/zone", .answer(200, Self.zones(second))))
        let kept = Mutex<CKServerChangeToken?>(nil)
        let operation = operation([Self.parties], transport, log)
        operation.recordZoneChangeTokensUpdatedBlock = { _, token, _ in kept.withLock { $0 = token } }
        await operation.run()
        #expect(log.all == ["record a 0", "end 4"])
        let token = try #require(kept.withLock { $0 })
        let archived = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
        let page = try await CKContainer.scripted(transport).privateCloudDatabase.recordZoneChanges(
            inZoneWith: Self.parties,
            since: try NSKeyedUnarchiver.unarchivedObject(ofClass: CKServerChangeToken.self, from: archived),
            desiredKeys: [], resultsLimit: 7)
        #expect(page.modificationResultsByID.keys.map(\.recordName) == ["b"])
        #expect(!page.moreComing)
        #expect(
            await transport.asked.last?.body
                == #"{"zones":[{"zoneID":{"zoneName":"Parties"},"syncToken":"AQ==","resultsLimit":7,"#
                + #""desiredKeys":[]}]}"#)
    }

    @Test("The next page is requested while the app processes the last one")
    func pipeline() async throws {
        let second = DispatchSemaphore(value: 0)
        let requests = Mutex(0)
        let script = ScriptedTransport(
            (
                "changes/zone",
                .answer(200, Self.zones(Self.feed("Parties", [answered("a")], token: "AQ==", more: true)))
            ),
            ("changes/zone", .answer(200, Self.zones(Self.feed("Parties", [answered("b")], token: "Ag==")))))
        let log = Log()
        let transport = WatchedTransport(script) { _ in
            let number = requests.withLock { count in
                count += 1
                return count
            }
            if number == 2 { second.signal() }
        }
        let operation = operation([Self.parties], transport, log)
        operation.recordWasChangedBlock = { id, _ in
            // The wait succeeds because the second request does not wait until this block returns.
            if id.recordName == "a" { log.add("\(second.wait(timeout: .now() + 60) == .success)") }
        }
        await operation.run()
        #expect(log.all.first == "true")
    }

    @Test("A record whose file cannot be downloaded has a failure as its result")
    func files() async throws {
        let log = Log()
        let asset = """
            "photo":{"value":{"fileChecksum":"AA","size":3,"downloadURL":"https://files/none"},\
            "type":"ASSETID"}
            """
        let page = Self.feed("Parties", [answered("a", fields: asset), answered("b")], token: "AQ==")
        let transport = ScriptedTransport(
            ("changes/zone", .answer(200, Self.zones(page))), ("none", .answer(404, "{}")))
        let operation = operation([Self.parties], transport, log)
        operation.fetchRecordZoneChangesResultBlock = nil
        operation.fetchRecordZoneChangesCompletionBlock = { error in
            let partial = (error as? CKError)?.partialErrorsByItemID ?? [:]
            let id = CKRecord.ID(recordName: "a", zoneID: Self.parties)
            log.add("end \(error.code) \((partial[id] as? CKError)?.code.rawValue ?? 0)")
        }
        await operation.run()
        #expect(
            log.all == [
                "record a 35", "record b 0", "zone Parties 0 <CKServerChangeToken: AQ==> false", "end 2 35",
            ])
    }

    @Test("A cancelled operation ends with operationCancelled and reports no token without its changes")
    func cancelling() async throws {
        let log = Log()
        let page = Self.feed("Parties", [answered("a")], token: "AQ==", more: true)
        let transport = ScriptedTransport(
            ("changes/zone", .answer(200, Self.zones(page))), ("changes/zone", .waitForCancellation))
        let operation = operation([Self.parties], transport, log)
        operation.recordZoneChangeTokensUpdatedBlock = { [unowned operation] _, token, _ in
            log.add("token \(token != nil)")
            operation.cancel()
        }
        await operation.run()
        #expect(log.all == ["record a 0", "token true", "end 20"])
    }

    @Test("Without zones nothing is requested; configurations alone can name the zones")
    func whichZones() async throws {
        let log = Log()
        await operation([], ScriptedTransport(), log).run()
        #expect(log.all == ["end 0"])
        let transport = ScriptedTransport(
            ("changes/zone", .answer(200, Self.zones(Self.feed("Clowns", [], token: "AQ==")))))
        let named = CKFetchRecordZoneChangesOperation(configurationsByRecordZoneID: [Self.clowns: .init()])
        named.database = CKContainer.scripted(transport).privateCloudDatabase
        named.recordZoneFetchResultBlock = { id, _ in log.add(id.zoneName) }
        await named.run()
        #expect(log.all == ["end 0", "Clowns"])
    }
}
