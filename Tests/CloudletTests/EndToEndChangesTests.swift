import CloudletTesting
import Foundation
import Testing

@testable import Cloudlet

@Suite("Change feeds with a server")
struct EndToEndChangesTests {
    private static let parties = CKRecordZone.ID(zoneName: "Parties")
    private static let clowns = CKRecordZone.ID(zoneName: "Clowns")

    /// Fetches all changes of zones since their tokens. Returns a log of the reports, and the last tokens.
    private func fetch(
        _ database: CKDatabase, _ zones: [CKRecordZone.ID],
        since tokens: [CKRecordZone.ID: CKServerChangeToken],
        limit: Int = 0
    ) async -> (log: [String], tokens: [CKRecordZone.ID: CKServerChangeToken]) {
        let log = Log()
        let kept = Locked(tokens)
        let configurations = zones.map { id in
            let configuration = CKFetchRecordZoneChangesOperation.ZoneConfiguration(
                previousServerChangeToken: tokens[id], resultsLimit: limit)
            return (id, configuration)
        }
        let operation = CKFetchRecordZoneChangesOperation(
            recordZoneIDs: zones,
            configurationsByRecordZoneID: Dictionary(uniqueKeysWithValues: configurations))
        operation.database = database
        operation.recordWasChangedBlock = { id, result in log.add("\(id.recordName) \(result.code)") }
        operation.recordWithIDWasDeletedBlock = { id, _ in log.add("\(id.recordName) gone") }
        operation.recordZoneChangeTokensUpdatedBlock = { id, token, _ in
            log.add("more")
            kept.withLock { $0[id] = token }
        }
        operation.recordZoneFetchResultBlock = { id, result in
            log.add("\(id.zoneName) \(result.code)")
            kept.withLock { $0[id] = (try? result.get())?.serverChangeToken }
        }
        await operation.run()
        return (log.all, kept.current)
    }

    private func save(_ names: [String], in zone: CKRecordZone.ID, _ database: CKDatabase) async throws {
        _ = try await database.modifyRecords(saving: names.map { party($0, zone: zone) }, deleting: [])
    }

    /// The client tokens that the blocks of a zone receive, between pages and at the end.
    private func clientTokens(_ database: CKDatabase, _ zone: CKRecordZone.ID) async -> [Data?] {
        let tokens = Locked<[Data?]>([])
        let operation = CKFetchRecordZoneChangesOperation(
            recordZoneIDs: [zone],
            configurationsByRecordZoneID: [zone: .init(previousServerChangeToken: nil, resultsLimit: 1)])
        operation.database = database
        operation.recordZoneChangeTokensUpdatedBlock = { _, _, data in tokens.withLock { $0.append(data) } }
        operation.recordZoneFetchResultBlock = { _, result in
            tokens.withLock { $0.append((try? result.get())?.clientChangeTokenData) }
        }
        await operation.run()
        return tokens.current
    }

    @Test("A zone reports the client token of its last accepted batch, only to the device that sent it")
    func clientChangeToken() async throws {
        try await withFixture { fixture in
            let phone = fixture.alice.privateCloudDatabase
            _ = try await phone.modifyRecordZones(
                saving: [CKRecordZone(zoneID: Self.parties), CKRecordZone(zoneID: Self.clowns)], deleting: [])
            func save(_ names: [String], _ token: String) async {
                let operation = CKModifyRecordsOperation(
                    recordsToSave: names.map { party($0, zone: Self.parties) })
                operation.clientChangeTokenData = Data(token.utf8)
                operation.database = phone
                await operation.run()
            }
            #expect(await clientTokens(phone, Self.parties) == [nil])
            await save(["a", "b"], "first")
            #expect(await clientTokens(phone, Self.parties) == [Data("first".utf8), Data("first".utf8)])
            // The server refuses an atomic batch with a conflict.
            await save(["a", "c"], "second")
            #expect(await clientTokens(phone, Self.parties).last == Data("first".utf8))
            await save(["c"], "third")
            #expect(await clientTokens(phone, Self.parties).last == Data("third".utf8))
            #expect(await clientTokens(phone, Self.clowns) == [nil])
            let tablet = fixture.tablet.privateCloudDatabase
            #expect(await clientTokens(tablet, Self.parties).last == .some(nil))
        }
    }

    @Test("A client change token has at most 1024 bytes")
    func longClientChangeToken() async throws {
        try await withFixture { fixture in
            let phone = fixture.alice.privateCloudDatabase
            _ = try await phone.modifyRecordZones(
                saving: [CKRecordZone(zoneID: Self.parties)], deleting: [])
            for count in [1024, 1025] {
                let operation = CKModifyRecordsOperation(
                    recordsToSave: [party("n\(count)", zone: Self.parties)])
                operation.clientChangeTokenData = Data(repeating: 7, count: count)
                operation.database = phone
                let end = Locked<(any Error)?>(nil)
                operation.modifyRecordsResultBlock = { result in end.withLock { $0 = result.error } }
                await operation.run()
                #expect((end.current == nil) == (count == 1024))
                if let error = end.current as? CKError {
                    #expect(error.localizedDescription.contains("1 to 1024 bytes, not 1025"))
                }
            }
        }
    }

    @Test("A delta has each record that was changed or deleted since the token once")
    func delta() async throws {
        try await withFixture { fixture in
            let phone = fixture.alice.privateCloudDatabase
            let tablet = fixture.tablet.privateCloudDatabase
            _ = try await phone.modifyRecordZones(
                saving: [CKRecordZone(zoneID: Self.parties), CKRecordZone(zoneID: Self.clowns)], deleting: [])
            try await save(["a", "b", "c", "d", "e"], in: Self.parties, phone)
            try await save(["x"], in: Self.clowns, phone)
            let zones = [Self.parties, Self.clowns]
            let first = await fetch(tablet, zones, since: [:], limit: 2)
            #expect(
                first.log == [
                    "a 0", "b 0", "more", "x 0", "Clowns 0", "c 0", "d 0", "more", "e 0", "Parties 0",
                ])
            let nothing = await fetch(tablet, zones, since: first.tokens)
            #expect(nothing.log == ["Parties 0", "Clowns 0"])
            let record = try await phone.record(for: party("b", zone: Self.parties).recordID)
            for number in 1...3 {
                record["guests"] = number
                try await phone.save(record)
            }
            try await phone.deleteRecord(withID: party("c", zone: Self.parties).recordID)
            let second = await fetch(tablet, zones, since: first.tokens)
            #expect(second.log == ["b 0", "c gone", "Parties 0", "Clowns 0"])
        }
    }

    @Test("A deletion has the type of the record")
    func deletionType() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: Self.parties))
            try await save(["a"], in: Self.parties, database)
            try await database.deleteRecord(withID: party("a", zone: Self.parties).recordID)
            let page = try await database.recordZoneChanges(inZoneWith: Self.parties, since: nil)
            #expect(page.deletions.map(\.recordID.recordName) == ["a"])
            #expect(page.deletions.map(\.recordType) == ["Party"])
        }
    }

    @Test("Each invalid token and zone has its own error")
    func badTokens() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: Self.parties))
            let first = await fetch(database, [Self.parties], since: [:])
            try await database.deleteRecordZone(withID: Self.parties)
            #expect(await fetch(database, [Self.parties], since: first.tokens).log == ["Parties 26"])
            try await database.save(CKRecordZone(zoneID: Self.parties))
            #expect(await fetch(database, [Self.parties], since: first.tokens).log == ["Parties 21"])
            let garbage = ["", "AAAA", "not base64!", "WgE="].map { CKServerChangeToken(text: $0) }
            for token in garbage.dropFirst() {
                let log = await fetch(database, [Self.parties], since: [Self.parties: token]).log
                #expect(log == ["Parties 12"], "\(token)")
                let unreadable = await code { _ = try await database.databaseChanges(since: token) }
                #expect(unreadable == .invalidArguments, "\(token)")
            }
            let zoneToken = first.tokens[Self.parties]
            let otherFeed = await code { _ = try await database.databaseChanges(since: zoneToken) }
            #expect(otherFeed == .invalidArguments)
            let missing = CKRecordZone.ID(zoneName: "Nowhere")
            let change = await code {
                _ = try await database.recordZoneChanges(inZoneWith: missing, since: nil)
            }
            #expect(change == .zoneNotFound)
            let standard = await code {
                _ = try await database.recordZoneChanges(inZoneWith: .default, since: nil)
            }
            #expect(standard == .serverRejectedRequest)
            let shared = fixture.alice.publicCloudDatabase
            let publicFeed = await code { _ = try await shared.databaseChanges(since: nil) }
            #expect(publicFeed == .badDatabase)
            let publicZone = await code {
                _ = try await shared.recordZoneChanges(inZoneWith: Self.parties, since: nil)
            }
            #expect(publicZone == .badDatabase)
        }
    }

    @Test("The database feed lists the changed zones, page by page")
    func database() async throws {
        try await withFixture { fixture in
            let phone = fixture.alice.privateCloudDatabase
            let names = (1...5).map { "Zone \($0)" }
            _ = try await phone.modifyRecordZones(
                saving: names.map { CKRecordZone(zoneName: $0) }, deleting: [])
            var page = try await fixture.tablet.privateCloudDatabase.databaseChanges(
                since: nil, resultsLimit: 2)
            var found = page.modifications.map(\.zoneID.zoneName)
            while page.moreComing {
                page = try await fixture.tablet.privateCloudDatabase.databaseChanges(
                    since: page.changeToken, resultsLimit: 2)
                found += page.modifications.map(\.zoneID.zoneName)
            }
            #expect(found == names)
            try await save(["a"], in: CKRecordZone.ID(zoneName: "Zone 3"), phone)
            try await phone.deleteRecordZone(withID: CKRecordZone.ID(zoneName: "Zone 1"))
            try await phone.save(party("in the default zone"))
            let log = Log()
            let operation = CKFetchDatabaseChangesOperation(previousServerChangeToken: page.changeToken)
            operation.database = fixture.tablet.privateCloudDatabase
            operation.recordZoneWithIDChangedBlock = { log.add("changed \($0.zoneName)") }
            operation.recordZoneWithIDWasDeletedBlock = { log.add("deleted \($0.zoneName)") }
            operation.fetchDatabaseChangesResultBlock = { log.add("end \($0.code)") }
            await operation.run()
            #expect(log.all == ["changed Zone 3", "deleted Zone 1", "end 0"])
        }
    }
}
