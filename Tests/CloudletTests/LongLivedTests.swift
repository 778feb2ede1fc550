import CloudKit
import CloudletTesting
import Foundation
import Testing

@testable import Cloudlet
@testable import TestKit

@Suite("Long-lived operations")
struct LongLivedTests {
    private static let id = CKRecord.ID(recordName: "a")

    /// Runs the body. Its `start` makes a container of the same device each time, over a given transport, as
    /// the app does when it starts again.
    private func onDevice(
        _ body: (_ start: (any CloudTransport) -> CKContainer, WorldClock, Death) async throws -> Void
    ) async throws {
        let folder = URL.unused()
        defer { folder.remove() }
        let clock = WorldClock(WorldClock.beginning)
        let death = Death()
        defer { death.end() }
        try await body(
            { transport in
                var connection = CloudConnection.over(transport)
                connection.operationFolder = folder
                connection.now = { clock.now }
                return CKContainer(identifier: "iCloud.test", connection: connection)
            }, clock, death)
    }

    private func save(_ container: CKContainer, _ log: Log) -> CKModifyRecordsOperation {
        let operation = CKModifyRecordsOperation(recordsToSave: [party("a"), party("b")])
        listen(operation, log)
        operation.database = container.privateCloudDatabase
        operation.isLongLived = true
        return operation
    }

    private func listen(_ operation: CKModifyRecordsOperation, _ log: Log) {
        operation.longLivedOperationWasPersistedBlock = { log.add("persisted") }
        operation.perRecordSaveBlock = { id, result in log.add("\(id.recordName) \(result.code)") }
        operation.modifyRecordsResultBlock = { log.add("end \($0.code)") }
    }

    private static var answer: String { #"{"records":[\#(answered("a", tag: "7")),\#(answered("b"))]}"# }

    @Test("A restored operation has the configuration of the original and of its group")
    func configuration() async throws {
        try await onDevice { start, _, _ in
            let operation = save(start(ScriptedTransport()), Log())
            let own = CKOperation.Configuration()
            own.isLongLived = true
            own.timeoutIntervalForRequest = 7
            own.qualityOfService = .utility
            operation.configuration = own
            let group = CKOperationGroup()
            let shared = CKOperation.Configuration()
            shared.timeoutIntervalForResource = 70
            shared.qualityOfService = .background
            shared.allowsCellularAccess = false
            group.defaultConfiguration = shared
            operation.group = group
            operation.clientChangeTokenData = Data("batch".utf8)
            _ = try #require(operation.beginStoring())
            let later = start(ScriptedTransport())
            let restored = try await later.longLivedOperation(for: operation.operationID)
            let again = try #require(restored as? CKModifyRecordsOperation)
            #expect(again.configuration.timeoutIntervalForRequest == 7)
            #expect(again.configuration.timeoutIntervalForResource == 70)
            #expect(again.configuration.qualityOfService == .utility)
            #expect(!again.configuration.allowsCellularAccess)
            #expect(again.configuration.isLongLived)
            #expect(again.clientChangeTokenData == Data("batch".utf8))
        }
    }

    @Test("A stored operation of an earlier version has the default configuration")
    func earlierConfiguration() async throws {
        try await onDevice { start, _, _ in
            let container = start(ScriptedTransport())
            let operation = save(container, Log())
            let own = CKOperation.Configuration()
            (own.isLongLived, own.timeoutIntervalForRequest) = (true, 7)
            operation.configuration = own
            _ = try #require(operation.beginStoring())
            let folder = try #require(container.connection.operationFolder)
            let file = folder.appendingPathComponent(operation.operationID + ".operation")
            var json = try #require(
                try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
            json["configuration"] = nil
            try JSONSerialization.data(withJSONObject: json).write(to: file)
            let restored = try await container.longLivedOperation(for: operation.operationID)
            #expect(restored?.configuration.timeoutIntervalForRequest == 60)
            #expect(restored?.isLongLived == true)
        }
    }

    @Test("An operation is stored while it runs, and deleted after its completion block")
    func knownWhileItRuns() async throws {
        try await onDevice { start, _, _ in
            let transport = ScriptedTransport(("records/modify", .answer(200, Self.answer)))
            let container = start(transport)
            let log = Log()
            let operation = save(container, log)
            let known = Log()
            operation.modifyRecordsResultBlock = { _ in
                let ids = OperationStore(
                    folder: container.connection.operationFolder ?? URL(fileURLWithPath: "/")
                )
                .entries(container: "iCloud.test", environment: "development", now: Date())
                known.add(ids.map(\.id).joined())
            }
            await operation.run()
            #expect(log.all == ["persisted", "a 0", "b 0"])
            #expect(known.all == [operation.operationID])
            await settled(container)
            let left = try await container.allLongLivedOperationIDs()
            #expect(left.isEmpty)
        }
    }

    /// Waits until no long-lived operation is stored: a completion block resumes the test before it returns,
    /// and the operation is removed after that.
    private func settled(_ container: CKContainer) async {
        for _ in 0..<100_000 {
            if (try? await container.allLongLivedOperationIDs().isEmpty) == true { return }
            await Task.yield()
        }
    }

    @Test("The next process gets all results again without a request")
    func replay() async throws {
        try await onDevice { start, _, death in
            let first = start(ScriptedTransport(("records/modify", .answer(200, Self.answer))))
            let operation = save(first, Log())
            await operation.endWithoutCompletion(death)
            let silent = ScriptedTransport()
            let second = start(silent)
            #expect(try await second.allLongLivedOperationIDs() == [operation.operationID])
            let found = try await second.longLivedOperation(for: operation.operationID)
            let again = try #require(found as? CKModifyRecordsOperation)
            #expect(again.operationID == operation.operationID)
            #expect(again.isLongLived)
            #expect(again.database?.databaseScope == .private)
            let log = Log()
            listen(again, log)
            await again.run()
            #expect(log.all == ["persisted", "a 0", "b 0", "end 0"])
            #expect(again.recordsToSave?.first?.recordChangeTag == "7")
            #expect(await silent.asked.isEmpty)
            await settled(second)
            #expect(try await second.longLivedOperation(for: operation.operationID) == nil)
        }
    }

    @Test("The next process sends only the requests that had no answer")
    func rest() async throws {
        try await onDevice { start, _, death in
            let zones = ["A", "B"].map { CKRecord.ID(recordName: "a", zoneID: CKRecordZone.ID(zoneName: $0)) }
            let one = #"{"records":[\#(answered("a"))]}"#
            let transport = ScriptedTransport(
                ("records/lookup", .answer(200, one)), ("records/lookup", .failure(.unreachable("gone"))))
            let fetch = CKFetchRecordsOperation(recordIDs: zones)
            fetch.desiredKeys = ["name"]
            fetch.database = start(transport).privateCloudDatabase
            fetch.isLongLived = true
            await fetch.endWithoutCompletion(death)
            let rest = ScriptedTransport(("records/lookup", .answer(200, one)))
            let found = try await start(rest).longLivedOperation(for: fetch.operationID)
            let again = try #require(found as? CKFetchRecordsOperation)
            let log = Log()
            again.perRecordResultBlock = { id, result in log.add("\(id.zoneID.zoneName) \(result.code)") }
            again.fetchRecordsResultBlock = { log.add("end \($0.code)") }
            await again.run()
            #expect(log.all == ["A 0", "B 0", "end 0"])
            let asked = await rest.asked
            #expect(asked.count == 1)
            #expect(asked.first?.body.contains(#""B""#) == true)
            #expect(asked.first?.body.contains("desiredKeys") == true)
        }
    }

    @Test("A cancelled operation, one older than a day, or one of another container is not found")
    func gone() async throws {
        try await onDevice { start, clock, death in
            let container = start(ScriptedTransport())
            let cancelled = save(container, Log())
            cancelled.cancel()
            await cancelled.endWithoutCompletion(death)
            let left = try await container.allLongLivedOperationIDs()
            #expect(left.isEmpty)
            let old = save(start(ScriptedTransport(("records/modify", .answer(200, Self.answer)))), Log())
            await old.endWithoutCompletion(death)
            let other = CKContainer(identifier: "iCloud.other", connection: container.connection)
            #expect(try await other.allLongLivedOperationIDs() == [])
            clock.advance(bySeconds: 23 * 3600)
            #expect(try await container.allLongLivedOperationIDs() == [old.operationID])
            clock.advance(bySeconds: 2 * 3600)
            #expect(try await container.allLongLivedOperationIDs() == [])
        }
    }

    @Test("Every class that can be long-lived is restored with the same input", arguments: OperationKind.all)
    func kinds(_ kind: OperationKind) throws {
        let operation = kind.make(Log(), false)
        let plain = try #require(ArchivedOperation(operation))
        let data = try JSONEncoder().encode(plain)
        let back = try JSONDecoder().decode(ArchivedOperation.self, from: data).operation
        #expect(type(of: back) == type(of: operation))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let again = try encoder.encode(try #require(ArchivedOperation(back)))
        let before = try encoder.encode(plain)
        #expect(before == again)
    }

    @Test("An operation is stored only with a folder, and if it is long-lived before it starts")
    func onlyWhereAsked() async throws {
        try await onDevice { start, _, _ in
            let container = start(ScriptedTransport(("records/lookup", .waitForCancellation)))
            let operation = CKFetchRecordsOperation(recordIDs: [Self.id])
            let log = Log()
            operation.longLivedOperationWasPersistedBlock = { log.add("persisted") }
            operation.database = container.privateCloudDatabase
            async let end: Void = operation.run()
            try await until { operation.isExecuting }
            operation.isLongLived = true
            operation.cancel()
            await end
            #expect(log.all.isEmpty)
            let homeless = CKContainer.scripted(
                ScriptedTransport(("records/modify", .answer(200, Self.answer))))
            let other = save(homeless, log)
            await other.run()
            #expect(log.all == ["a 0", "b 0", "end 0"])
            let left = try await homeless.allLongLivedOperationIDs()
            #expect(left.isEmpty)
        }
    }

    @Test("Damaged files are ignored and never end the process")
    func damage() async throws {
        try await onDevice { start, _, death in
            let container = start(ScriptedTransport(("records/modify", .answer(200, Self.answer))))
            let operation = save(container, Log())
            await operation.endWithoutCompletion(death)
            let folder = try #require(container.connection.operationFolder)
            let answers = folder.appendingPathComponent(operation.operationID + ".answers")
            try Data("{\"request\":5}\nnonsense\n".utf8).write(to: answers)
            #expect(OperationStore(folder: folder).answers(of: operation.operationID).isEmpty)
            try Data("{".utf8).write(
                to: folder.appendingPathComponent(operation.operationID + ".operation"))
            #expect(try await container.allLongLivedOperationIDs() == [])
        }
    }
}
