import CloudKit
import CloudletServer
import CloudletTesting
import Foundation
import Synchronization
import Testing

@testable import Cloudlet
@testable import TestKit

@Suite("Retries after network failures")
struct RequestPolicyTests {
    private static let start = Date(timeIntervalSince1970: 1000)

    /// A transport that fails a number of times before it sends requests on.
    private struct FailingTransport: CloudTransport {
        let base: ScriptedTransport
        let error: CloudTransportError
        let failures: Countdown

        func send(_ request: CloudRequest) async throws -> CloudResponse {
            if failures.take() { throw error }
            return try await base.send(request)
        }
    }

    private func run(
        _ quality: QualityOfService, failing times: Int, with error: CloudTransportError,
        resource: TimeInterval? = nil, saving: Bool = false
    ) async -> (code: Int, waits: [Int]) {
        let clock = WorldClock(Self.start)
        let waits = Log()
        let answer = #"{"records":[\#(answered("a"))]}"#
        let base = ScriptedTransport(
            ("records/lookup", .answer(200, answer)), ("records/modify", .answer(200, answer)))
        var connection = CloudConnection.over(
            FailingTransport(base: base, error: error, failures: Countdown(times)))
        connection.now = { clock.now }
        connection.pause = { duration in
            waits.add("\(duration.components.seconds)")
            clock.advance(bySeconds: TimeInterval(duration.components.seconds))
        }
        let operation: CKDatabaseOperation
        let log = Log()
        if saving {
            let save = CKModifyRecordsOperation(recordsToSave: [party("a")])
            save.modifyRecordsResultBlock = { log.add("\($0.code)") }
            operation = save
        } else {
            let fetch = CKFetchRecordsOperation(recordIDs: [CKRecord.ID(recordName: "a")])
            fetch.fetchRecordsResultBlock = { log.add("\($0.code)") }
            operation = fetch
        }
        operation.database =
            CKContainer(identifier: "iCloud.test", connection: connection).privateCloudDatabase
        let configuration = CKOperation.Configuration()
        configuration.container = operation.configuration.container
        configuration.qualityOfService = quality
        if let resource { configuration.timeoutIntervalForResource = resource }
        operation.configuration = configuration
        await operation.run()
        return (Int(log.all.first ?? "") ?? -1, waits.all.compactMap { Int($0) })
    }

    @Test(
        "Urgent and default operations fail at once; utility and background ones retry with a backoff",
        arguments: [
            (.userInteractive, [], 3), (.userInitiated, [], 3), (.default, [], 3),
            (.utility, [1, 2, 4], 0), (.background, [1, 2, 4], 0),
        ] as [(QualityOfService, [Int], Int)])
    func qualities(_ quality: QualityOfService, _ waits: [Int], _ code: Int) async {
        let result = await run(quality, failing: 3, with: .unreachable("no network"))
        #expect(result.code == code)
        #expect(result.waits == waits)
    }

    @Test("Retries are at most a minute apart, and end after seven days unless configured")
    func sevenDays() async {
        let result = await run(.utility, failing: .max, with: .timedOut)
        #expect(result.code == CKError.Code.networkFailure.rawValue)
        #expect(result.waits.max() == 60)
        let total = result.waits.reduce(0, +)
        #expect((7 * 24 * 3600 - 60...7 * 24 * 3600).contains(total))
        let short = await run(.background, failing: .max, with: .unreachable("none"), resource: 10)
        #expect(short.code == CKError.Code.networkUnavailable.rawValue)
        #expect(short.waits == [1, 2, 4])
    }

    @Test("A utility save is sent again after a lost answer, and if it never reached the server")
    func changes() async {
        let lost = await run(.utility, failing: 1, with: .connectionLost("broken"), saving: true)
        #expect(lost.code == 0)
        #expect(lost.waits == [1])
        let urgent = await run(.default, failing: 1, with: .connectionLost("broken"), saving: true)
        #expect(urgent.code == CKError.Code.serverResponseLost.rawValue)
        #expect(urgent.waits.isEmpty)
        let unsent = await run(.utility, failing: 2, with: .unreachable("none"), saving: true)
        #expect(unsent.code == 0)
        #expect(unsent.waits == [1, 2])
    }

    @Test("An operation cancelled between two attempts ends at once")
    func cancelled() async throws {
        try await withFixture { fixture in
            fixture.world.server.faults.add(Fault(.networkFailureBefore, device: "phone"))
            let operation = CKFetchRecordsOperation(recordIDs: [CKRecord.ID(recordName: "a")])
            let log = Log()
            operation.fetchRecordsResultBlock = { log.add("\($0.code)") }
            operation.database = fixture.alice.privateCloudDatabase
            operation.qualityOfService = .background
            async let end: Void = operation.run()
            try await until { fixture.world.clock.waiting > 0 }
            operation.cancel()
            await end
            #expect(log.all == ["20"])
        }
    }

    @Test(
        "In process, requests to a slow server time out by the test clock",
        arguments: [(30, 20.0, 3600.0, 4), (30, 3600.0, 20.0, 4), (30, 31.0, 31.0, 0)])
    func slow(_ seconds: Int, _ idle: Double, _ whole: Double, _ code: Int) async throws {
        try await withFixture { fixture in
            try await fixture.alice.privateCloudDatabase.save(party("a"))
            fixture.world.server.faults.add(Fault(.slow, device: "phone", seconds: seconds))
            let operation = CKFetchRecordsOperation(recordIDs: [CKRecord.ID(recordName: "a")])
            let log = Log()
            operation.fetchRecordsResultBlock = { log.add("\($0.code)") }
            operation.database = fixture.alice.privateCloudDatabase
            operation.timeoutIntervalForRequest = idle
            operation.timeoutIntervalForResource = whole
            await operation.run()
            #expect(log.all == ["\(code)"])
        }
    }

    @Test("Timeouts and retries of a configuration have CloudKit's defaults")
    func configurations() {
        for quality in [QualityOfService.userInteractive, .userInitiated] {
            let configuration = CKOperation.Configuration()
            configuration.qualityOfService = quality
            #expect(configuration.timeoutIntervalForResource == -1)
            #expect(RequestPolicy(configuration).totalTimeout == nil)
            #expect(!RequestPolicy(configuration).retries)
        }
        for quality in [QualityOfService.default, .utility, .background] {
            let configuration = CKOperation.Configuration()
            configuration.qualityOfService = quality
            #expect(configuration.timeoutIntervalForRequest == 60)
            #expect(RequestPolicy(configuration).totalTimeout == 604_800.0)
            #expect(RequestPolicy(configuration).retries == (quality != .default))
        }
    }
}

/// A counter that copies of a value share.
private final class Countdown: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    /// Decrements the count; false if it was zero.
    func take() -> Bool {
        left.withLock { left in
            defer { left = max(0, left - 1) }
            return left > 0
        }
    }
}
