import CloudKit
import CloudletServer
import CloudletTesting
import Foundation
import Testing

@testable import Cloudlet

/// A statement about operations from the talks or the documents of the framework, and its test.
struct Sentence: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let check: @Sendable (Fixture) async throws -> Void

    init(_ text: String, _ check: @escaping @Sendable (Fixture) async throws -> Void) {
        testDescription = text
        self.check = check
    }
}

extension Fixture {
    /// Alice's phone. Calls `look` with each request before it is sent.
    func watched(_ look: @escaping @Sendable (CloudRequest) async throws -> Void) -> CKContainer {
        phone({ _ in }, watching: look)
    }

    /// Alice's phone with a changed connection and its own network conditions.
    func phone(
        _ change: (inout CloudConnection) -> Void = { _ in },
        watching look: @escaping @Sendable (CloudRequest) async throws -> Void = { _ in }
    ) -> CKContainer {
        var connection = alice.connection
        connection.transport = WatchedTransport(connection.transport, look)
        connection.conditions = CloudConditions()
        change(&connection)
        return CKContainer(identifier: Fixture.containerName, connection: connection)
    }

    /// Saves parties with these names on another device of Alice.
    func save(_ names: String...) async throws {
        let (saved, _) = try await tablet.privateCloudDatabase.modifyRecords(
            saving: names.map { party($0) }, deleting: [])
        for (_, result) in saved { _ = try result.get() }
    }
}

extension CKFetchRecordsOperation {
    /// A fetch that logs each name with its error code, and `end`.
    static func heard(
        _ names: String..., in container: CKContainer, _ log: Log,
        quality: QualityOfService? = nil, _ change: (CKOperation.Configuration) -> Void = { _ in }
    ) -> CKFetchRecordsOperation {
        let operation = CKFetchRecordsOperation(recordIDs: names.map { CKRecord.ID(recordName: $0) })
        operation.perRecordResultBlock = { id, result in log.add("\(id.recordName) \(result.code)") }
        operation.fetchRecordsResultBlock = { log.add("end \($0.code)") }
        operation.database = container.privateCloudDatabase
        let configuration = CKOperation.Configuration()
        configuration.container = container
        if let quality { configuration.qualityOfService = quality }
        change(configuration)
        operation.configuration = configuration
        return operation
    }
}

extension CKModifyRecordsOperation {
    /// A save that logs each name with its error code, and `end`.
    static func heard(
        _ records: [CKRecord], in container: CKContainer, _ log: Log
    ) -> CKModifyRecordsOperation {
        let operation = CKModifyRecordsOperation(recordsToSave: records)
        operation.perRecordSaveBlock = { id, result in log.add("saved \(id.recordName) \(result.code)") }
        operation.modifyRecordsResultBlock = { log.add("end \($0.code)") }
        operation.database = container.privateCloudDatabase
        return operation
    }
}
