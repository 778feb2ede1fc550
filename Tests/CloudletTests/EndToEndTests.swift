import Cloudlet
import CloudletTesting
import Foundation
import Testing

@Suite("The client with a server")
struct EndToEndTests {
    @Test("Errors name an unknown field, and say that a sign-in is required")
    func details() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.publicCloudDatabase
            try await database.save(party("a"))
            let query = CKQuery(
                recordType: "Party", predicate: NSPredicate(format: "%K = %@", "colour", "red"))
            do {
                _ = try await database.records(matching: query)
                Issue.record("the field is not known")
            } catch let error as CKError {
                #expect(error.code == .invalidArguments)
                #expect(error.unknownField == "colour")
                #expect(!error.isSignInRequired)
                #expect(error.descriptionWithoutAddress == error.localizedDescription)
            }
            do {
                try await fixture.nobody.publicCloudDatabase.save(party("b"))
                Issue.record("nobody may save")
            } catch let error as CKError {
                #expect(error.code == .notAuthenticated)
                #expect(error.isSignInRequired)
                #expect(error.unknownField == nil)
            }
        }
    }

    @Test("Every kind of value is fetched as it was saved")
    func values() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.privateCloudDatabase
            let record = party("a")
            let when = Date(timeIntervalSince1970: 1_700_000_000.25)
            let above = CKRecord.Reference(recordID: CKRecord.ID(recordName: "p"), action: .none)
            record["count"] = 7
            record["ratio"] = 0.1
            record["when"] = when
            record["data"] = Data([0, 255])
            record["above"] = above
            record["place"] = CLLocation(latitude: 1.5, longitude: -2.5)
            record["words"] = ["x", "y"]
            record["numbers"] = [1, 2]
            record.encryptedValues["secret"] = "s"
            try await database.save(record)
            let copy = try await fixture.tablet.privateCloudDatabase.record(for: record.recordID)
            #expect(copy.recordID == record.recordID)
            #expect(copy["count"] as? Int == 7)
            #expect(copy["ratio"] as? Double == 0.1)
            #expect(copy["when"] as? Date == when)
            #expect(copy["data"] as? Data == Data([0, 255]))
            #expect(copy["above"] as? CKRecord.Reference == above)
            #expect((copy["place"] as? CLLocation)?.coordinate.latitude == 1.5)
            #expect(copy["words"] as? [String] == ["x", "y"])
            #expect(copy["numbers"] as? [Int] == [1, 2])
            #expect(copy.encryptedValues["secret"] as? String == "s")
            #expect(copy.recordChangeTag == record.recordChangeTag)
            #expect(copy.creationDate == fixture.world.clock.now)
            #expect(copy.creatorUserRecordID == (try await fixture.alice.userRecordID()))
            let part = try await database.records(for: [record.recordID], desiredKeys: ["count"])
            #expect(try part[record.recordID]?.get().allKeys() == ["count"])
        }
    }

    @Test("A save over a newer version fails, and succeeds after a merge")
    func conflict() async throws {
        try await withFixture { fixture in
            let phone = fixture.alice.privateCloudDatabase
            let tablet = fixture.tablet.privateCloudDatabase
            let mine = party("a")
            try await phone.save(mine)
            let theirs = try await tablet.record(for: mine.recordID)
            theirs["guests"] = 5
            try await tablet.save(theirs)
            mine["name"] = "renamed"
            let error = await #expect(throws: CKError.self) { try await phone.save(mine) }
            #expect(error?.code == .serverRecordChanged)
            #expect(error?.ancestorRecord?["name"] as? String == "a")
            let server = try #require(error?.serverRecord)
            #expect(server["guests"] as? Int == 5)
            server["name"] = error?.clientRecord?["name"] as? String
            try await phone.save(server)
            let last = try await tablet.record(for: mine.recordID)
            #expect(last["name"] as? String == "renamed")
            #expect(last["guests"] as? Int == 5)
            #expect(await code { try await phone.save(party("a")) } == .serverRecordChanged)
            let over = party("a")
            over["guests"] = 9
            let (saves, _) = try await phone.modifyRecords(
                saving: [over], deleting: [], savePolicy: .changedKeys)
            #expect(saves[over.recordID]?.failure == nil)
        }
    }

    @Test("Deleting a record deletes records that refer to it with deleteSelf; repeating it succeeds")
    func deletions() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.publicCloudDatabase
            let host = party("host")
            let guest = CKRecord(recordType: "Clown", recordID: CKRecord.ID(recordName: "guest"))
            guest["party"] = CKRecord.Reference(record: host, action: .deleteSelf)
            _ = try await database.modifyRecords(saving: [host, guest], deleting: [])
            try await database.deleteRecord(withID: host.recordID)
            #expect(await code { try await database.record(for: host.recordID) } == .unknownItem)
            #expect(await code { try await database.record(for: guest.recordID) } == .unknownItem)
            try await database.deleteRecord(withID: host.recordID)
            host["name"] = "late"
            #expect(await code { try await database.save(host) } == .unknownItem)
        }
    }

    private static let here = CLLocation(latitude: 37.78, longitude: -122.40)

    /// Five parties, each 1.1 kilometres further north than the one before.
    private func saveFiveParties(_ database: CKDatabase) async throws {
        let parties = (1...5).map { number in
            let record = party("party \(number)")
            record["guests"] = number
            record["tags"] = number % 2 == 0 ? ["even"] : ["odd", "prime"]
            record["place"] = CLLocation(latitude: 37.78 + Double(number) / 100, longitude: -122.40)
            return record
        }
        let (saves, _) = try await database.modifyRecords(saving: parties, deleting: [])
        #expect(saves.values.allSatisfy { $0.failure == nil })
    }

    @Test("Queries filter, sort and search by distance")
    func queries() async throws {
        try await withFixture { fixture in
            try await saveFiveParties(fixture.alice.publicCloudDatabase)
            func found(_ format: String, _ arguments: Any...) async throws -> String {
                let predicate = NSPredicate(format: format, argumentArray: arguments)
                let query = CKQuery(recordType: "Party", predicate: predicate)
                query.sortDescriptors = [NSSortDescriptor(key: "guests", ascending: true)]
                let page = try await fixture.nobody.publicCloudDatabase.records(matching: query)
                return page.matchResults.compactMap { $0.0.recordName.last.map { String($0) } }.joined()
            }
            #expect(try await found("TRUEPREDICATE") == "12345")
            #expect(try await found("FALSEPREDICATE") == "")
            #expect(try await found("guests > %@ AND guests != 4", 2) == "35")
            #expect(try await found("guests BETWEEN {2, 3}") == "23")
            #expect(try await found("name BEGINSWITH 'party'") == "12345")
            #expect(try await found("name IN %@", ["party 1", "party 9"]) == "1")
            #expect(try await found("tags CONTAINS 'even'") == "24")
            #expect(try await found("ANY tags IN {'prime', 'x'}") == "135")
            #expect(try await found("self CONTAINS 'PARTY 3'") == "3")
            #expect(try await found("NOT guests == 1") == "2345")
            #expect(try await found("recordID == %@", CKRecord.ID(recordName: "party 2")) == "2")
            #expect(try await found("creationDate <= now()") == "12345")
            let near = "distanceToLocation:fromLocation:(place, %@) < 2500"
            #expect(try await found(near, Self.here) == "12")
        }
    }

    @Test("A query sorted by distance returns pages until the cursor is nil")
    func paging() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.publicCloudDatabase
            try await saveFiveParties(database)
            let query = CKQuery(recordType: "Party", predicate: NSPredicate(value: true))
            query.sortDescriptors = [CKLocationSortDescriptor(key: "place", relativeLocation: Self.here)]
            var page = try await database.records(matching: query, desiredKeys: [], resultsLimit: 2)
            var names = page.matchResults.map(\.0.recordName)
            while let cursor = page.queryCursor {
                page = try await database.records(continuingMatchFrom: cursor, resultsLimit: 2)
                names += page.matchResults.map(\.0.recordName)
            }
            #expect(names == (1...5).map { "party \($0)" })
        }
    }

    @Test("People read and write only the records that they have access to")
    func permissions() async throws {
        try await withFixture { fixture in
            let record = party("a")
            try await fixture.alice.publicCloudDatabase.save(record)
            let copy = try await fixture.bob.publicCloudDatabase.record(for: record.recordID)
            copy["name"] = "mine now"
            #expect(await code { try await fixture.bob.publicCloudDatabase.save(copy) } == .permissionFailure)
            let anonymous = fixture.nobody.publicCloudDatabase
            #expect(await code { try await anonymous.record(for: record.recordID) } == nil)
            #expect(await code { try await anonymous.save(party("b")) } == .notAuthenticated)
            try await fixture.alice.privateCloudDatabase.save(party("secret"))
            let secret = CKRecord.ID(recordName: "secret")
            #expect(
                await code { try await fixture.bob.privateCloudDatabase.record(for: secret) } == .unknownItem)
            #expect(
                await code { try await fixture.nobody.privateCloudDatabase.record(for: secret) }
                    == .notAuthenticated)
            #expect(try await fixture.alice.accountStatus() == .available)
            #expect(try await fixture.nobody.accountStatus() == .noAccount)
        }
    }

    @Test("A custom zone saves all records of a batch or none")
    func zones() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.privateCloudDatabase
            let zone = try await database.save(CKRecordZone(zoneName: "Parties"))
            #expect(zone.capabilities.contains([.atomic, .fetchChanges]))
            #expect(
                try await database.allRecordZones().map(\.zoneID.zoneName).sorted() == [
                    "Parties", "_defaultZone",
                ])
            let old = party("old", zone: zone.zoneID)
            try await database.save(old)
            let stale = party("old", zone: zone.zoneID)
            let new = party("new", zone: zone.zoneID)
            let (saves, _) = try await database.modifyRecords(saving: [new, stale], deleting: [])
            #expect((saves[stale.recordID]?.failure as? CKError)?.code == .serverRecordChanged)
            #expect((saves[new.recordID]?.failure as? CKError)?.code == .batchRequestFailed)
            #expect(await code { try await database.record(for: new.recordID) } == .unknownItem)
            try await database.deleteRecordZone(withID: zone.zoneID)
            #expect(await code { try await database.record(for: old.recordID) } == .zoneNotFound)
            #expect(await code { try await database.save(party("x", zone: zone.zoneID)) } == .zoneNotFound)
            let shared = fixture.alice.publicCloudDatabase
            #expect(await code { try await shared.save(CKRecordZone(zoneName: "Z")) } == .badDatabase)
        }
    }

    @Test("Wrong types and reserved names are refused with a reason")
    func badInput() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.publicCloudDatabase
            try await database.save(party("a"))
            let wrong = party("b")
            wrong["name"] = 3
            #expect(await code { try await database.save(wrong) } == .invalidArguments)
            let reserved = party("c")
            reserved["_x"] = 3
            #expect(await code { try await database.save(reserved) } == .invalidArguments)
            let big = party("d")
            big["name"] = String(repeating: "x", count: 1_100_000)
            #expect(
                [.limitExceeded, .invalidArguments].contains(await code { try await database.save(big) }))
            let query = CKQuery(recordType: "Nothing", predicate: NSPredicate(value: true))
            #expect(await code { _ = try await database.records(matching: query) } != nil)
        }
    }
}
