import Cloudlet
import Foundation
import Testing

@Suite("Calls on a database")
struct DatabaseTests {
    @Test("Saving a new record sends a create operation and updates the object to the saved version")
    func create() async throws {
        let transport = ScriptedTransport(
            ("records/modify", .answer(200, #"{"records":[\#(answered("a"))]}"#)))
        let database = CKContainer.scripted(transport).publicCloudDatabase
        let record = CKRecord(recordType: "Party", recordID: CKRecord.ID(recordName: "a"))
        record["name"] = "Coffee"
        let saved = try await database.save(record)
        #expect(saved === record)
        #expect(saved.recordChangeTag == "1")
        #expect(saved.changedKeys().isEmpty)
        #expect(saved["name"] as? String == "Coffee")
        #expect(saved.creationDate == Date(timeIntervalSince1970: 1))
        #expect(saved.lastModifiedUserRecordID?.recordName == "_me")
        let asked = try #require(await transport.asked.first)
        #expect(
            asked.target
                == "/database/1/iCloud.test/development/public/records/modify"
                + "?clientId=phone&ckWebAuthToken=session&ckAPIToken=api")
        #expect(asked.body.contains(#""operationType":"create""#))
        #expect(asked.body.contains(#""fields":{"name":{"value":"Coffee","type":"STRING"}}"#))
        #expect(asked.body.contains(#""desiredKeys":[]"#))
    }

    @Test("A second save sends the changed keys with the change tag, and removed keys as null")
    func update() async throws {
        let transport = ScriptedTransport(
            ("records/lookup", .answer(200, #"{"records":[\#(Self.full)]}"#)),
            ("records/modify", .answer(200, #"{"records":[\#(answered("a", tag: "2"))]}"#)))
        let database = CKContainer.scripted(transport).privateCloudDatabase
        let record = try await database.record(for: CKRecord.ID(recordName: "a"))
        #expect(record["guests"] as? Double == 3)
        #expect(record.encryptedValues["note"] as? String == "secret")
        #expect(record["note"] as? String == nil)
        #expect(record["party"] as? CKRecord.Reference == Self.reference)
        record["guests"] = 4
        record["name"] = nil
        try await database.save(record)
        let body = try #require(await transport.asked.last?.body)
        #expect(body.contains(#""operationType":"update""#))
        #expect(body.contains(#""recordChangeTag":"1""#))
        #expect(
            body.contains(#""fields":{"guests":{"value":4,"type":"INT64"},"name":{"value":null}}"#), "\(body)"
        )
        #expect(record.recordChangeTag == "2")
        #expect(record.changedKeys().isEmpty)
    }

    private static let reference = CKRecord.Reference(
        recordID: CKRecord.ID(recordName: "p"), action: .deleteSelf)

    private static let full = answered(
        "a",
        fields: """
            "guests":{"value":3,"type":"INT64"},"name":{"value":"x","type":"STRING"},\
            "note":{"value":"secret","type":"STRING","isEncrypted":true},\
            "party":{"value":{"recordName":"p","action":"DELETE_SELF"},"type":"REFERENCE"}
            """
    )

    @Test("A conflict error has the client, server and ancestor versions")
    func conflict() async throws {
        let server = answered("a", tag: "9", fields: #""guests":{"value":8,"type":"INT64"}"#)
        let error = """
            {"recordName":"a","serverErrorCode":"CONFLICT","reason":"client oplock error updating record",\
            "cloudlet":{"code":"conflict","serverRecord":\(server)}}
            """
        let transport = ScriptedTransport(
            ("records/lookup", .answer(200, #"{"records":[\#(Self.full)]}"#)),
            ("records/modify", .answer(200, #"{"records":[\#(error)]}"#)))
        let database = CKContainer.scripted(transport).privateCloudDatabase
        let record = try await database.record(for: CKRecord.ID(recordName: "a"))
        record["guests"] = 4
        let thrown = await #expect(throws: CKError.self) { try await database.save(record) }
        let conflict = try #require(thrown)
        #expect(conflict.code == .serverRecordChanged)
        #expect(conflict.serverRecord?["guests"] as? Int == 8)
        #expect(conflict.serverRecord?.recordChangeTag == "9")
        #expect(conflict.ancestorRecord?["guests"] as? Int == 3)
        #expect(conflict.clientRecord?["guests"] as? Int == 4)
        #expect(record.changedKeys() == ["guests"])
    }

    @Test("Errors of the request and of the transport have the documented codes")
    func errors() async throws {
        let id = CKRecord.ID(recordName: "a")
        func code(_ step: ScriptedTransport.Step) async -> CKError.Code? {
            let transport = ScriptedTransport(("records/lookup", step))
            do {
                _ = try await CKContainer.scripted(transport).publicCloudDatabase.record(for: id)
                return nil
            } catch {
                return (error as? CKError)?.code
            }
        }
        let missing =
            #"{"records":[{"recordName":"a","serverErrorCode":"NOT_FOUND","reason":"Record not found"}]}"#
        #expect(await code(.answer(200, missing)) == .unknownItem)
        #expect(
            await code(.answer(421, #"{"serverErrorCode":"AUTHENTICATION_REQUIRED"}"#)) == .notAuthenticated)
        #expect(await code(.answer(429, "<html>")) == .requestRateLimited)
        #expect(await code(.answer(200, "<html>")) == .serverRejectedRequest)
        #expect(await code(.answer(200, #"{"records":[]}"#)) == .internalError)
        #expect(await code(.failure(.unreachable("x"))) == .networkUnavailable)
        #expect(await code(.failure(.connectionLost("x"))) == .networkFailure)
        #expect(await code(.failure(.timedOut)) == .networkFailure)
    }

    @Test("A save whose answer was lost fails with serverResponseLost")
    func lostAnswer() async throws {
        let transport = ScriptedTransport(("records/modify", .failure(.connectionLost("x"))))
        let database = CKContainer.scripted(transport).publicCloudDatabase
        let record = CKRecord(recordType: "T", recordID: CKRecord.ID(recordName: "a"))
        let error = await #expect(throws: CKError.self) { try await database.save(record) }
        #expect(error?.code == .serverResponseLost)
    }

    @Test("A batch sends one request per zone and reports the result of each item")
    func batch() async throws {
        let zone = CKRecordZone.ID(zoneName: "Z")
        let failed = #"{"recordName":"b","serverErrorCode":"ACCESS_DENIED","reason":"no"}"#
        let transport = ScriptedTransport(
            (
                "records/modify",
                .answer(200, #"{"records":[\#(answered("a")),{"recordName":"c","deleted":true}]}"#)
            ),
            ("records/modify", .answer(200, #"{"records":[\#(failed)]}"#)))
        let database = CKContainer.scripted(transport).privateCloudDatabase
        let first = CKRecord(recordType: "Party", recordID: CKRecord.ID(recordName: "a"))
        let second = CKRecord(recordType: "Party", recordID: CKRecord.ID(recordName: "b", zoneID: zone))
        let gone = CKRecord.ID(recordName: "c")
        let (saves, deletes) = try await database.modifyRecords(
            saving: [first, second], deleting: [gone], savePolicy: .changedKeys, atomically: false)
        #expect(try saves[first.recordID]?.get() === first)
        #expect((saves[second.recordID]?.failure as? CKError)?.code == .permissionFailure)
        #expect(deletes[gone]?.failure == nil)
        let bodies = await transport.asked.map(\.body)
        #expect(bodies[0].contains(#""operationType":"forceUpdate""#))
        #expect(bodies[0].contains(#""operationType":"forceDelete""#))
        #expect(bodies[1].contains(#""zoneName":"Z""#))
        #expect(bodies.allSatisfy { $0.contains(#""atomic":false"#) })
    }

    @Test("A record that no server would accept fails before anything is sent")
    func malformed() async throws {
        let transport = ScriptedTransport()
        let database = CKContainer.scripted(transport).publicCloudDatabase
        let good = CKRecord(recordType: "T", recordID: CKRecord.ID(recordName: "good"))
        let bad = CKRecord(recordType: "T", recordID: CKRecord.ID(recordName: "bad"))
        bad.setValue(["k": 1], forKey: "dictionary")
        let (saves, _) = try await database.modifyRecords(saving: [good, bad], deleting: [])
        #expect((saves[bad.recordID]?.failure as? CKError)?.code == .invalidArguments)
        #expect((saves[good.recordID]?.failure as? CKError)?.code == .batchRequestFailed)
        let twice = await #expect(throws: CKError.self) {
            _ = try await database.modifyRecords(saving: [good], deleting: [good.recordID])
        }
        #expect(twice?.code == .invalidArguments)
        for name in ["", String(repeating: "x", count: 256)] {
            let record = CKRecord(recordType: "T", recordID: CKRecord.ID(recordName: name))
            let error = await #expect(throws: CKError.self) { try await database.save(record) }
            #expect(error?.code == .invalidArguments)
        }
        let text = try #require(saves[bad.recordID]?.failure).localizedDescription
        #expect(text.contains("dictionary"))
        #expect(await transport.asked.isEmpty)
    }

    @Test("A query continues with a cursor that was archived")
    func queries() async throws {
        let page = #"{"records":[\#(answered("a"))],"continuationMarker":"AQID"}"#
        let transport = ScriptedTransport(
            ("records/query", .answer(200, page)),
            ("records/query", .answer(200, #"{"records":[\#(answered("b"))]}"#)))
        let database = CKContainer.scripted(transport).privateCloudDatabase
        let query = CKQuery(recordType: "Party", predicate: NSPredicate(format: "guests > %d", 2))
        query.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let (first, cursor) = try await database.records(
            matching: query, desiredKeys: ["name"], resultsLimit: 1)
        #expect(first.map(\.0.recordName) == ["a"])
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: try #require(cursor), requiringSecureCoding: true)
        let kept = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: CKQueryOperation.Cursor.self, from: data))
        #expect(kept == cursor)
        let (second, end) = try await database.records(continuingMatchFrom: kept)
        #expect(second.map(\.0.recordName) == ["b"])
        #expect(end == nil)
        let bodies = await transport.asked.map(\.body)
        #expect(
            bodies[0].contains(
                #"{"comparator":"GREATER_THAN","fieldName":"guests","fieldValue":{"value":2,"type":"INT64"}}"#
            ))
        #expect(bodies[0].contains(#""zoneWide":true"#))
        #expect(bodies[0].contains(#""resultsLimit":1"#))
        #expect(bodies[0].contains(#""desiredKeys":["name"]"#))
        #expect(bodies[1].contains(#""continuationMarker":"AQID""#))
        #expect(bodies[1].contains(#""fieldName":"guests""#))
    }

    @Test("An unsupported predicate fails with an explanation before anything is sent")
    func refusedQuery() async throws {
        let transport = ScriptedTransport()
        let query = CKQuery(recordType: "Party", predicate: NSPredicate(format: "a == 1 OR b == 2"))
        let error = await #expect(throws: CKError.self) {
            _ = try await CKContainer.scripted(transport).publicCloudDatabase.records(matching: query)
        }
        #expect(error?.code == .invalidArguments)
        #expect(error?.localizedDescription.contains("OR is not supported") == true)
        #expect(await transport.asked.isEmpty)
    }

    @Test("Zones are saved, listed and deleted")
    func zones() async throws {
        let zone = #"{"zoneID":{"zoneName":"Z","ownerRecordName":"_me"},"syncToken":"AQ==","atomic":true}"#
        let standard = #"{"zoneID":{"zoneName":"_defaultZone","ownerRecordName":"_me"},"atomic":false}"#
        let transport = ScriptedTransport(
            ("zones/modify", .answer(200, #"{"zones":[\#(zone)]}"#)),
            ("zones/list", .answer(200, #"{"zones":[\#(standard),\#(zone)]}"#)),
            ("zones/lookup", .answer(200, #"{"zones":[{"serverErrorCode":"ZONE_NOT_FOUND"}]}"#)),
            ("zones/modify", .answer(200, #"{"zones":[{"zoneID":{"zoneName":"Z"},"deleted":true}]}"#)))
        let database = CKContainer.scripted(transport).privateCloudDatabase
        let saved = try await database.save(CKRecordZone(zoneName: "Z"))
        #expect(saved.zoneID == CKRecordZone.ID(zoneName: "Z"))
        #expect(saved.capabilities == [.atomic, .fetchChanges, .sharing, .zoneWideSharing])
        let all = try await database.allRecordZones()
        #expect(all.map(\.zoneID) == [.default, saved.zoneID])
        #expect(all[0].capabilities == [])
        let error = await #expect(throws: CKError.self) { try await database.recordZone(for: saved.zoneID) }
        #expect(error?.code == .zoneNotFound)
        #expect(try await database.deleteRecordZone(withID: saved.zoneID) == saved.zoneID)
        #expect(await transport.isFinished)
    }

    @Test("The server is asked for the account only if a person is signed in")
    func account() async throws {
        let nobody = ScriptedTransport()
        #expect(try await CKContainer.scripted(nobody, token: nil).accountStatus() == .noAccount)
        let error = await #expect(throws: CKError.self) {
            try await CKContainer.scripted(nobody, token: nil).userRecordID()
        }
        #expect(error?.code == .notAuthenticated)
        #expect(await nobody.asked.isEmpty)
        let caller = #"{"userRecordName":"_me"}"#
        let somebody = ScriptedTransport(
            ("public/users/caller", .answer(200, caller)), ("public/users/caller", .answer(200, caller)),
            ("public/users/caller", .failure(.unreachable("x"))))
        let container = CKContainer.scripted(somebody)
        #expect(try await container.accountStatus() == .available)
        #expect(try await container.userRecordID() == CKRecord.ID(recordName: "_me"))
        await #expect(throws: CKError.self) { try await container.accountStatus() }
    }

    @Test("Completion handlers get the same results as async calls")
    func completionHandlers() async throws {
        let transport = ScriptedTransport(
            ("records/modify", .answer(200, #"{"records":[\#(answered("a"))]}"#)),
            (
                "records/lookup",
                .answer(200, #"{"records":[{"recordName":"a","serverErrorCode":"NOT_FOUND"}]}"#)
            ),
            ("records/modify", .answer(200, #"{"records":[{"recordName":"a","deleted":true}]}"#)))
        let database = CKContainer.scripted(transport).publicCloudDatabase
        let record = CKRecord(recordType: "Party", recordID: CKRecord.ID(recordName: "a"))
        let saved = await withCheckedContinuation { done in
            database.save(record) { record, error in done.resume(returning: (record, error as? CKError)) }
        }
        #expect(saved.0 === record)
        #expect(saved.1 == nil)
        let missing = await withCheckedContinuation { done in
            database.fetch(withRecordID: record.recordID) { record, error in
                done.resume(returning: (record, error as? CKError))
            }
        }
        #expect(missing.0 == nil)
        #expect(missing.1?.code == .unknownItem)
        let deleted = await withCheckedContinuation { done in
            database.delete(withRecordID: record.recordID) { id, _ in done.resume(returning: id) }
        }
        #expect(deleted == record.recordID)
    }
}

extension Result {
    /// The error of a failure.
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
