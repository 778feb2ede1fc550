import CloudletServer
import CloudletTesting
import Foundation
import Testing

@testable import Cloudlet

@Suite("Paging with a server")
struct PagingTests {
    private func named(_ name: String, _ zone: CKRecordZone.ID = .default) -> CKRecord {
        CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: name, zoneID: zone))
    }

    @Test("Zones that share the byte limit of an answer are all fetched completely, also from a token")
    func sharedBytes() async throws {
        var limits = Limits()
        limits.answerBytes = 900
        let world = try await CloudletWorld.start(limits: limits)
        let database = try await world.container("iCloud.test", as: "alice", on: "phone").privateCloudDatabase
        let zones = ["A", "B", "C"].map { CKRecordZone.ID(zoneName: $0) }
        _ = try await database.modifyRecordZones(
            saving: zones.map { CKRecordZone(zoneID: $0) }, deleting: [])
        var tokens: [CKRecordZone.ID: CKServerChangeToken] = [:]
        for round in 1...2 {
            for zone in zones {
                let records = (0..<3).map { index in
                    let record = named("\(zone.zoneName)\(round)\(index)", zone)
                    record["text"] = String(repeating: "x", count: 400)
                    return record
                }
                _ = try await database.modifyRecords(saving: records, deleting: [])
            }
            let log = Log()
            let kept = Locked(tokens)
            let wishes = tokens.mapValues {
                CKFetchRecordZoneChangesOperation.ZoneConfiguration(previousServerChangeToken: $0)
            }
            let operation = CKFetchRecordZoneChangesOperation(
                recordZoneIDs: zones, configurationsByRecordZoneID: wishes)
            operation.database = database
            operation.recordWasChangedBlock = { id, _ in log.add(id.recordName) }
            operation.recordZoneFetchResultBlock = { id, result in
                #expect(result.code == 0, "\(id.zoneName), round \(round): \(result)")
                kept.withLock { $0[id] = (try? result.get())?.serverChangeToken }
            }
            await operation.run()
            let expected = zones.flatMap { zone in (0..<3).map { "\(zone.zoneName)\(round)\($0)" } }
            #expect(log.all.sorted() == expected)
            tokens = kept.current
        }
        await world.stop()
    }

    @Test("All zones are fetched, page by page")
    func zones() async throws {
        var limits = Limits()
        limits.zonesPerResponse = 2
        let world = try await CloudletWorld.start(limits: limits)
        let database = try await world.container("iCloud.test", as: "alice", on: "phone").privateCloudDatabase
        let names = ["A", "B", "C", "D"]
        _ = try await database.modifyRecordZones(
            saving: names.map { CKRecordZone(zoneName: $0) }, deleting: [])
        let zones = try await database.allRecordZones()
        #expect(zones.map(\.zoneID.zoneName) == ["_defaultZone"] + names)
        await world.stop()
    }

    @Test("All pages of a query use the same time for now()")
    func now() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.publicCloudDatabase
            for index in 0..<3 {
                let record = named("n\(index)")
                record["due"] = fixture.world.clock.now.addingTimeInterval(TimeInterval(-index * 60))
                try await database.save(record)
            }
            let query = CKQuery(recordType: "Note", predicate: NSPredicate(format: "due <= now()"))
            var page = try await database.records(matching: query, resultsLimit: 1)
            var names = page.matchResults.map(\.0.recordName)
            while let cursor = page.queryCursor, names.count < 9 {
                fixture.world.clock.advance(bySeconds: 30)
                let archive = try NSKeyedArchiver.archivedData(
                    withRootObject: cursor, requiringSecureCoding: true)
                let copy = try NSKeyedUnarchiver.unarchivedObject(
                    ofClass: CKQueryOperation.Cursor.self, from: archive)
                page = try await database.records(continuingMatchFrom: try #require(copy), resultsLimit: 1)
                names += page.matchResults.map(\.0.recordName)
            }
            #expect(names.sorted() == ["n0", "n1", "n2"])
        }
    }

    @Test("In a query of all zones a reference matches only the record in its own zone")
    func zoneWideReferences() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.privateCloudDatabase
            let zone = CKRecordZone.ID(zoneName: "A")
            _ = try await database.modifyRecordZones(saving: [CKRecordZone(zoneID: zone)], deleting: [])
            try await database.save(named("x"))
            try await database.save(named("x", zone))
            for (name, home, target) in [
                ("d", CKRecordZone.ID.default, CKRecordZone.ID.default), ("h", zone, zone),
                ("o", zone, .default),
            ] {
                let record = CKRecord(
                    recordType: "Link", recordID: CKRecord.ID(recordName: name, zoneID: home))
                let id = CKRecord.ID(recordName: "x", zoneID: target)
                record["to"] = CKRecord.Reference(recordID: id, action: .none)
                try await database.save(record)
            }
            func found(_ type: String, _ format: String, _ zone: CKRecordZone.ID) async throws -> [String] {
                let id = CKRecord.ID(recordName: "x", zoneID: zone)
                let query = CKQuery(recordType: type, predicate: NSPredicate(format: format, id))
                let matches = try await database.records(matching: query).matchResults
                return matches.map { "\($0.0.recordName) in \($0.0.zoneID.zoneName)" }.sorted()
            }
            #expect(try await found("Link", "to == %@", .default) == ["d in _defaultZone", "o in A"])
            #expect(try await found("Link", "to == %@", zone) == ["h in A"])
            #expect(try await found("Note", "recordID == %@", .default) == ["x in _defaultZone"])
            #expect(try await found("Note", "recordID == %@", zone) == ["x in A"])
        }
    }
}
