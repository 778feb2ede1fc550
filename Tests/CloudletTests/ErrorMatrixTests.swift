import Cloudlet
import CloudletTesting
import Foundation
import Testing

/// A way to cause an error.
struct ErrorCase: Sendable, CustomTestStringConvertible {
    let name: String
    let code: CKError.Code
    /// Words that the error text must contain: the object that failed, the reason, or what to do.
    let words: [String]
    let provoke: @Sendable (Fixture) async throws -> Void

    init(
        _ name: String, _ code: CKError.Code, _ words: String...,
        provoke: @escaping @Sendable (Fixture) async throws -> Void
    ) {
        self.name = name
        self.code = code
        self.words = words
        self.provoke = provoke
    }

    var testDescription: String { name }
}

@Suite("Every error that concerns records")
struct ErrorMatrixTests {
    private static let zone = CKRecordZone.ID(zoneName: "Parties")

    /// Saves records in one batch, and throws the error of the named record, or of the batch.
    private static func save(
        _ records: [CKRecord], about name: String, in database: CKDatabase
    ) async throws {
        let (saves, _) = try await database.modifyRecords(saving: records, deleting: [])
        for (id, result) in saves where id.recordName == name { _ = try result.get() }
    }

    private static func file(_ text: String, in fixture: Fixture) throws -> URL {
        let url = fixture.folder.appendingPathComponent("file")
        try Data(text.utf8).write(to: url)
        return url
    }

    private static let saving: [ErrorCase] = [
        ErrorCase("an outdated change tag", .serverRecordChanged, "[a]", "oplock", "server's record") {
            fixture in
            let mine = party("a")
            try await fixture.alice.privateCloudDatabase.save(mine)
            let theirs = try await fixture.tablet.privateCloudDatabase.record(for: mine.recordID)
            theirs["guests"] = 5
            try await fixture.tablet.privateCloudDatabase.save(theirs)
            mine["guests"] = 6
            try await fixture.alice.privateCloudDatabase.save(mine)
        },
        ErrorCase(
            "a new record with the name of an existing one", .serverRecordChanged, "[a]", "already exists",
            "fetch"
        ) { fixture in
            try await fixture.alice.privateCloudDatabase.save(party("a"))
            try await fixture.alice.privateCloudDatabase.save(party("a"))
        },
        ErrorCase(
            "another record of an atomic batch that failed", .batchRequestFailed, "Atomic failure", "send all"
        ) { fixture in
            let database = fixture.alice.privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: zone))
            try await database.save(party("old", zone: zone))
            try await save([party("new", zone: zone), party("old", zone: zone)], about: "new", in: database)
        },
        ErrorCase("a save of a record that was deleted", .unknownItem, "[a]", "deleted") { fixture in
            let record = party("a")
            try await fixture.alice.privateCloudDatabase.save(record)
            try await fixture.tablet.privateCloudDatabase.deleteRecord(withID: record.recordID)
            record["guests"] = 3
            try await fixture.alice.privateCloudDatabase.save(record)
        },
        ErrorCase("the same record twice", .invalidArguments, "[a]", "twice", "one object") { fixture in
            try await save([party("a"), party("a")], about: "a", in: fixture.alice.privateCloudDatabase)
        },
        ErrorCase("a value of another type", .invalidArguments, "[name", "STRING") { fixture in
            try await fixture.alice.privateCloudDatabase.save(party("a"))
            let wrong = party("b")
            wrong["name"] = 3
            try await fixture.alice.privateCloudDatabase.save(wrong)
        },
        ErrorCase("a delete-self reference into another zone", .invalidArguments, "zone") { fixture in
            let database = fixture.alice.privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: zone))
            let record = party("a", zone: zone)
            record["host"] = CKRecord.Reference(recordID: CKRecord.ID(recordName: "b"), action: .deleteSelf)
            try await database.save(record)
        },
        ErrorCase("too many items", .limitExceeded, "201 items", "(200)", "half") { fixture in
            try await save((0...200).map { party("\($0)") }, about: "", in: fixture.alice.publicCloudDatabase)
        },
        ErrorCase("too large a record", .limitExceeded, "[a]", "1048576", "assets") { fixture in
            let record = party("a")
            record["name"] = String(repeating: "x", count: 1_048_576)
            try await fixture.alice.privateCloudDatabase.save(record)
        },
        ErrorCase("a record that grows too large on the server", .limitExceeded, "[a]", "assets") { fixture in
            let record = party("a")
            record["first"] = String(repeating: "x", count: 600_000)
            try await fixture.alice.privateCloudDatabase.save(record)
            record["second"] = String(repeating: "x", count: 600_000)
            try await fixture.alice.privateCloudDatabase.save(record)
        },
        ErrorCase("a missing zone", .zoneNotFound, "[Parties]", "zone") { fixture in
            try await fixture.alice.privateCloudDatabase.save(party("a", zone: zone))
        },
        ErrorCase("a missing parent", .referenceViolation, "[", "above") { fixture in
            let database = fixture.alice.privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: zone))
            let record = party("a", zone: zone)
            record.setParent(CKRecord.ID(recordName: "above", zoneID: zone))
            try await database.save(record)
        },
        ErrorCase("a parent that still has children", .referenceViolation, "[a]", "delete or change") {
            fixture in
            let database = fixture.alice.privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: zone))
            let record = party("a", zone: zone)
            record.setParent(party("above", zone: zone))
            try await save([party("above", zone: zone), record], about: "a", in: database)
            try await database.deleteRecord(withID: party("above", zone: zone).recordID)
        },
        ErrorCase("a custom zone in the public database", .badDatabase, "public", "private") { fixture in
            try await fixture.alice.publicCloudDatabase.save(CKRecordZone(zoneName: "Z"))
        },
    ]

    private static let people: [ErrorCase] = [
        ErrorCase(
            "a save in the public database without an account", .notAuthenticated, "authorization", "sign in"
        ) { fixture in
            try await fixture.nobody.publicCloudDatabase.save(party("a"))
        },
        ErrorCase("a private database without an account", .notAuthenticated, "sign", "in") { fixture in
            try await fixture.nobody.privateCloudDatabase.record(for: CKRecord.ID(recordName: "a"))
        },
        ErrorCase("a change of another person's public record", .permissionFailure, "[a]", "WRITE", "creator")
        { fixture in
            try await fixture.alice.publicCloudDatabase.save(party("a"))
            let copy = try await fixture.bob.publicCloudDatabase.record(for: party("a").recordID)
            copy["name"] = "mine"
            try await fixture.bob.publicCloudDatabase.save(copy)
        },
        ErrorCase("a new user record", .permissionFailure, "CREATE", "server") { fixture in
            try await fixture.alice.publicCloudDatabase.save(CKRecord(recordType: "Users"))
        },
    ]

    private static let reading: [ErrorCase] = [
        ErrorCase("a missing record", .unknownItem, "[a]", "not found", "are invalid") { fixture in
            try await fixture.alice.privateCloudDatabase.record(for: CKRecord.ID(recordName: "a"))
        },
        ErrorCase("a predicate that the server does not support", .invalidArguments, "OR") { fixture in
            let query = CKQuery(recordType: "Party", predicate: NSPredicate(format: "a == 1 OR b == 2"))
            _ = try await fixture.alice.privateCloudDatabase.records(matching: query)
        },
        ErrorCase("a new record type in production", .invalidArguments, "Party", "production") { fixture in
            var connection = fixture.alice.connection
            connection.environment = .production
            try await CKContainer(identifier: Fixture.containerName, connection: connection)
                .privateCloudDatabase
                .save(party("a"))
        },
        ErrorCase("an unknown record type", .unknownItem, "Did not find record type") { fixture in
            let query = CKQuery(recordType: "Nothing", predicate: NSPredicate(value: true))
            _ = try await fixture.alice.privateCloudDatabase.records(matching: query)
        },
        ErrorCase("changes of a missing zone", .zoneNotFound, "[Parties]") { fixture in
            _ = try await fixture.alice.privateCloudDatabase.recordZoneChanges(inZoneWith: zone, since: nil)
        },
        ErrorCase(
            "a token of a zone that was deleted and created again", .changeTokenExpired, "[Parties]", "token"
        ) { fixture in
            let database = fixture.alice.privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: zone))
            let token = try await database.recordZoneChanges(inZoneWith: zone, since: nil).changeToken
            try await database.deleteRecordZone(withID: zone)
            try await database.save(CKRecordZone(zoneID: zone))
            _ = try await database.recordZoneChanges(inZoneWith: zone, since: token)
        },
        ErrorCase("a token of another feed", .invalidArguments, "[syncToken]", "token") { fixture in
            let database = fixture.alice.privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: zone))
            let token = try await database.databaseChanges(since: nil).changeToken
            _ = try await database.recordZoneChanges(inZoneWith: zone, since: token)
        },
        ErrorCase("changes of the public database", .badDatabase, "changes/database", "private") { fixture in
            _ = try await fixture.alice.publicCloudDatabase.databaseChanges(since: nil)
        },
    ]

    private static let files: [ErrorCase] = [
        ErrorCase("a missing file", .assetFileNotFound, "nowhere", "write it") { fixture in
            let record = party("a")
            record["photo"] = CKAsset(fileURL: fixture.folder.appendingPathComponent("nowhere"))
            try await fixture.alice.privateCloudDatabase.save(record)
        },
        ErrorCase("a file that changes while it is uploaded", .assetFileModified, "file", "save the record") {
            fixture in
            let url = try file("before", in: fixture)
            var connection = fixture.alice.connection
            connection.transport = WatchedTransport(connection.transport) { request in
                if case .file = request.body { try Data("after it was looked at".utf8).write(to: url) }
            }
            let record = party("a")
            record["photo"] = CKAsset(fileURL: url)
            try await CKContainer(identifier: Fixture.containerName, connection: connection)
                .privateCloudDatabase
                .save(record)
        },
    ]

    @Test(
        "Each error of a server has its code, and a text with the culprit, the reason or the next step",
        arguments: saving + people + reading + files)
    func matrix(_ item: ErrorCase) async throws {
        try await withFixture { fixture in
            let thrown = await #expect(throws: CKError.self) { try await item.provoke(fixture) }
            let error = try #require(thrown)
            #expect(error.code == item.code, "\(error)")
            for word in item.words {
                #expect(error.localizedDescription.contains(word), "\(error.localizedDescription)")
            }
            #expect(error.retryAfterSeconds == nil)
        }
    }

    @Test("The older block gets partialFailure with the error of each item")
    func envelope() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: Self.zone))
            try await database.save(party("old", zone: Self.zone))
            let records = ["new", "old"].map { party($0, zone: Self.zone) }
            let gone = CKRecord.ID(recordName: "gone", zoneID: Self.zone)
            let log = Log()
            let operation = CKModifyRecordsOperation(recordsToSave: records, recordIDsToDelete: [gone])
            operation.database = database
            operation.modifyRecordsCompletionBlock = { saved, deleted, error in
                let inner = (error as? CKError)?.partialErrorsByItemID ?? [:]
                let codes = (records.map(\.recordID) + [gone]).map { inner[$0].code }
                log.add("\(saved?.count ?? -1) \(deleted?.count ?? -1) \(error.code) \(codes)")
            }
            await operation.run()
            #expect(log.all == ["0 0 2 [22, 14, 22]"])
        }
    }
}
