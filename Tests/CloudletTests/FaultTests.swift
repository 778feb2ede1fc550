import Cloudlet
import CloudletServer
import CloudletTesting
import Foundation
import Testing

@Suite("Injected faults")
struct FaultTests {
    private static let zone = CKRecordZone.ID(zoneName: "Parties")

    @Test(
        "A save reports each fault with its code, and with the time to wait if the server sent one",
        arguments: [
            (Fault(.zoneBusy, seconds: 7), CKError.Code.zoneBusy, 7, "wait"),
            (Fault(.unavailable, seconds: 30), .serviceUnavailable, 30, "wait"),
            (Fault(.rateLimited, seconds: 12), .requestRateLimited, 12, "too many"),
            (Fault(.quotaFull), .quotaExceeded, nil, "quota"),
            (Fault(.networkFailureBefore), .serverResponseLost, nil, "fetch to see"),
            (Fault(.responseLost), .serverResponseLost, nil, "fetch to see"),
            (Fault(.signedOut), .notAuthenticated, nil, "sign in"),
            (Fault(.limitExceeded), .limitExceeded, nil, "half"),
            (Fault(.zoneNotFound), .zoneNotFound, nil, "zone"),
            (Fault(.zonePurged), .userDeletedZone, nil, "ask the person"),
            (Fault(.conflict), .serverRecordChanged, nil, "oplock"),
            (Fault(.recordDeleted), .unknownItem, nil, "deleted"),
            (Fault(.notPermitted), .permissionFailure, nil, "WRITE"),
            (Fault(.referenceViolation), .referenceViolation, nil, "target"),
            (Fault(.invalidItem), .invalidArguments, nil, "correct"),
        ] as [(Fault, CKError.Code, Double?, String)])
    func saving(_ fault: Fault, _ code: CKError.Code, _ wait: Double?, _ advice: String) async throws {
        try await withFixture { fixture in
            var fault = fault
            fault.device = "phone"
            fault.endpoint = "records/modify"
            fixture.world.server.faults.add(fault)
            let record = party("a")
            let thrown = await caught { try await fixture.alice.privateCloudDatabase.save(record) }
            #expect(thrown?.code == code)
            #expect(thrown?.retryAfterSeconds == wait)
            #expect(thrown?.localizedDescription.contains(advice) == true, "\(String(describing: thrown))")
            let isSaved = await caught {
                try await fixture.tablet.privateCloudDatabase.record(for: record.recordID)
            }
            #expect((isSaved == nil) == (fault.kind == .responseLost))
            try await fixture.tablet.privateCloudDatabase.save(party("b"))
        }
    }

    @Test("An injected conflict has the server's record and fails the rest of the atomic batch")
    func conflict() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: Self.zone))
            let record = party("a", zone: Self.zone)
            try await database.save(record)
            fixture.world.server.faults.add(Fault(.conflict, count: 1))
            record["name"] = "mine"
            let other = party("b", zone: Self.zone)
            let (saves, _) = try await database.modifyRecords(saving: [record, other], deleting: [])
            let thrown = saves[record.recordID]?.failure as? CKError
            #expect(thrown?.code == .serverRecordChanged)
            #expect(thrown?.serverRecord?["name"] == "a")
            #expect((saves[other.recordID]?.failure as? CKError)?.code == .batchRequestFailed)
        }
    }

    @Test(
        "A fetch reports each fault with its code, and never with serverResponseLost",
        arguments: [
            (Fault(.unavailable, seconds: 30), CKError.Code.serviceUnavailable, 30),
            (Fault(.networkFailureBefore), .networkFailure, nil),
            (Fault(.responseLost), .networkFailure, nil),
        ] as [(Fault, CKError.Code, Double?)])
    func fetching(_ fault: Fault, _ code: CKError.Code, _ wait: Double?) async throws {
        try await withFixture { fixture in
            let record = party("a")
            try await fixture.alice.privateCloudDatabase.save(record)
            fixture.world.server.faults.add(fault)
            let thrown = await caught {
                try await fixture.alice.privateCloudDatabase.record(for: record.recordID)
            }
            #expect(thrown?.code == code)
            #expect(thrown?.retryAfterSeconds == wait)
            fixture.world.server.faults.clear()
            #expect(
                await caught { try await fixture.alice.privateCloudDatabase.record(for: record.recordID) }
                    == nil)
        }
    }

    @Test("After a rate limit the device sends no request until its time is over")
    func rateLimit() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.privateCloudDatabase
            fixture.world.server.faults.add(Fault(.rateLimited, count: 1, seconds: 20))
            let limited = await caught { try await database.save(party("a")) }
            #expect(limited?.code == .requestRateLimited)
            fixture.world.clock.advance(bySeconds: 15)
            let early = await caught { try await database.save(party("a")) }
            #expect(early?.code == .requestRateLimited)
            #expect(early?.retryAfterSeconds == 5)
            #expect(fixture.world.server.faults.active.map(\.matchingCalls) == [1])
            fixture.world.clock.advance(bySeconds: 5)
            #expect(await caught { try await database.save(party("a")) } == nil)
        }
    }

    @Test("An expired token is reported for each zone, and for the database")
    func tokenExpired() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: Self.zone))
            let token = try await database.recordZoneChanges(inZoneWith: Self.zone, since: nil).changeToken
            let other = try await database.databaseChanges(since: nil).changeToken
            fixture.world.server.faults.add(Fault(.tokenExpired))
            let zone = await caught {
                _ = try await database.recordZoneChanges(inZoneWith: Self.zone, since: token)
            }
            #expect(zone?.code == .changeTokenExpired)
            let all = await caught { _ = try await database.databaseChanges(since: other) }
            #expect(all?.code == .changeTokenExpired)
            let log = Log()
            let operation = CKFetchRecordZoneChangesOperation(
                recordZoneIDs: [Self.zone],
                configurationsByRecordZoneID: [Self.zone: .init(previousServerChangeToken: token)])
            operation.database = database
            operation.fetchRecordZoneChangesCompletionBlock = { error in
                let inner = (error as? CKError)?.partialErrorsByItemID?[Self.zone]
                log.add("\(error.code) \(inner.code)")
            }
            await operation.run()
            #expect(log.all == ["2 21"])
            _ = try await database.recordZoneChanges(inZoneWith: Self.zone, since: nil)
        }
    }

    @Test("Deletions succeed when the quota is full")
    func quota() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.privateCloudDatabase
            try await database.save(party("old"))
            fixture.world.server.faults.add(Fault(.quotaFull))
            let (saves, deletes) = try await database.modifyRecords(
                saving: [party("new")], deleting: [party("old").recordID], atomically: false)
            #expect(saves[party("new").recordID]?.code == CKError.Code.quotaExceeded.rawValue)
            #expect(deletes[party("old").recordID]?.code == 0)
        }
    }

    @Test("After a fetch that broke off, the next one continues from the last token and misses no change")
    func resume() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: Self.zone))
            _ = try await database.modifyRecords(
                saving: (1...7).map { party("\($0)", zone: Self.zone) }, deleting: [])
            fixture.world.server.faults.add(
                Fault(.networkFailureBefore, endpoint: "changes/zone", first: 3, count: 1))
            let seen = Log()
            let kept = Log()
            var token: CKServerChangeToken?
            for _ in 1...2 {
                token = await fetch(since: token, from: database, seen, kept)
            }
            #expect(seen.all == (1...7).map { "\($0)" })
            #expect(kept.all == ["end 4", "end 0"])
        }
    }

    /// Fetches in pages of two; returns the last token that was reported.
    private func fetch(
        since token: CKServerChangeToken?, from database: CKDatabase, _ seen: Log, _ ends: Log
    ) async -> CKServerChangeToken? {
        let tokens = AsyncStream<CKServerChangeToken>.makeStream()
        let operation = CKFetchRecordZoneChangesOperation(
            recordZoneIDs: [Self.zone],
            configurationsByRecordZoneID: [
                Self.zone: .init(previousServerChangeToken: token, resultsLimit: 2)
            ])
        operation.database = database
        operation.recordWasChangedBlock = { id, _ in seen.add(id.recordName) }
        operation.recordZoneChangeTokensUpdatedBlock = { _, token, _ in
            if let token { tokens.continuation.yield(token) }
        }
        operation.fetchRecordZoneChangesResultBlock = { ends.add("end \($0.code)") }
        await operation.run()
        tokens.continuation.finish()
        var last = token
        for await token in tokens.stream { last = token }
        return last
    }
}
