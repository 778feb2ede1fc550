import CloudKit
import CloudletServer
import CloudletTesting
import Foundation
import Testing

@testable import Cloudlet
@testable import TestKit

extension OperationSentenceTests {
    private static let all: [QualityOfService] = [
        .userInteractive, .userInitiated, .default, .utility, .background,
    ]

    /// Whether a fetch with this quality of service sends its request at once under these conditions, and the
    /// code with which it ends after the conditions have become good.
    private static func asks(
        _ fixture: Fixture, _ quality: QualityOfService, in state: CloudConditions.State,
        _ change: (CKOperation.Configuration) -> Void = { _ in }
    ) async -> (atOnce: Bool, code: Int) {
        let log = Log()
        let conditions = CloudConditions()
        conditions.state = state
        let phone = fixture.phone { $0.conditions = conditions }
        let operation = CKFetchRecordsOperation.heard("a", in: phone, log, quality: quality, change)
        operation.perRecordResultBlock = nil
        async let end: Void = operation.run()
        try? await until { operation.isFinished || conditions.waiting == 1 }
        let isAtOnce = operation.isFinished
        conditions.state = CloudConditions.State()
        await end
        return (isAtOnce, log.all.first.flatMap { Int($0.dropFirst(4)) } ?? -1)
    }

    static let quality: [Sentence] = [
        Sentence("The quality of service determines the task priority") { fixture in
            let expected: [TaskPriority] = [
                .userInitiated, .userInitiated, .medium, .utility, .background,
            ]
            for (quality, priority) in zip(all, expected) {
                let seen = Locked<TaskPriority?>(nil)
                let phone = fixture.watched { _ in seen.withLock { $0 = Task.basePriority } }
                await CKFetchRecordsOperation.heard("a", in: phone, Log(), quality: quality).run()
                #expect(seen.current == priority)
            }
        },
        Sentence("defaultQualityOfService can be background, as in the first talk") { fixture in
            let log = Log()
            let phone = fixture.phone {
                $0.defaultQualityOfService = .background
            } watching: { _ in
                log.add("\(Task.basePriority == .background)")
            }
            await CKFetchRecordsOperation.heard("a", in: phone, Log()).run()
            await CKFetchRecordsOperation.heard("a", in: phone, Log(), quality: .utility).run()
            #expect(log.all == ["true", "false"])
        },
        Sentence("defaultQualityOfService can be utility, as in the later talk; at first it is default") {
            fixture in
            #expect(fixture.alice.connection.defaultQualityOfService == .default)
            let log = Log()
            let phone = fixture.phone {
                $0.defaultQualityOfService = .utility
                $0.conditions.state.network = .unavailable
            }
            let operation = CKFetchRecordsOperation.heard("a", in: phone, log)
            async let end: Void = operation.run()
            try await until { phone.connection.conditions.waiting == 1 }
            phone.connection.conditions.state.network = .unmetered
            await end
            #expect(log.all == ["a 11", "end 0"])
        },
        Sentence("Urgent work has no limit for a round trip, and fails at once on a bad network") { fixture in
            fixture.world.server.faults.add(.init(.networkFailureBefore, device: "phone"))
            for quality in [QualityOfService.userInteractive, .userInitiated] {
                let log = Log()
                let phone = fixture.watched { log.add("\($0.timeout == nil)") }
                await CKFetchRecordsOperation.heard("a", in: phone, log, quality: quality).run()
                #expect(log.all == ["true", "end 4"])
            }
        },
        Sentence("Default work has a limit of a week, and fails at once on a bad network") { fixture in
            fixture.world.server.faults.add(.init(.networkFailureBefore, device: "phone"))
            let log = Log()
            let phone = fixture.watched { log.add("\($0.timeout?.components.seconds ?? 0)") }
            await CKFetchRecordsOperation.heard("a", in: phone, log).run()
            #expect(log.all == ["604800", "end 4"])
        },
        Sentence("Utility and background work is sent again until the network works") { fixture in
            let clock = fixture.world.clock
            for quality in [QualityOfService.utility, .background] {
                fixture.world.server.faults.add(.init(.networkFailureBefore, device: "phone", count: 3))
                let log = Log()
                let phone = fixture.phone {
                    $0.pause = { clock.advance(bySeconds: TimeInterval($0.components.seconds)) }
                } watching: { _ in
                    log.add("asked")
                }
                await CKFetchRecordsOperation.heard("a", in: phone, log, quality: quality).run()
                #expect(log.all == ["asked", "asked", "asked", "asked", "a 11", "end 0"])
            }
        },
    ]

    static let conditions: [Sentence] = [
        Sentence("In the background without power, all qualities but the urgent ones wait") { fixture in
            let poor = CloudConditions.State(hasPower: false, isInForeground: false)
            var waiting: [QualityOfService] = []
            for quality in all where await !asks(fixture, quality, in: poor).atOnce {
                waiting.append(quality)
            }
            #expect(waiting == [.default, .utility, .background])
        },
        Sentence("On a cellular network urgent work never waits, utility work only in the background") {
            fixture in
            for isInForeground in [true, false] {
                let poor = CloudConditions.State(network: .cellular, isInForeground: isInForeground)
                #expect(await asks(fixture, .userInteractive, in: poor) == (true, 0))
                #expect(await asks(fixture, .userInitiated, in: poor) == (true, 0))
                #expect(await asks(fixture, .utility, in: poor) == (isInForeground, 0))
                #expect(await asks(fixture, .background, in: poor) == (false, 0))
            }
        },
        Sentence("Background work waits for power and an unmetered network, and is then done") { fixture in
            let log = Log()
            let phone = fixture.phone {
                $0.conditions.state = .init(network: .cellular, hasPower: false)
            } watching: { _ in
                log.add("asked")
            }
            let conditions = phone.connection.conditions
            let operation = CKFetchRecordsOperation.heard("a", in: phone, log, quality: .background)
            async let end: Void = operation.run()
            try await until { conditions.waiting == 1 }
            conditions.state.hasPower = true
            #expect(log.all.isEmpty)
            conditions.state.network = .unmetered
            await end
            #expect(log.all == ["asked", "a 11", "end 0"])
            #expect(conditions.waiting == 0)
        },
        Sentence("Default work waits for power only in the background, and can be cancelled") { fixture in
            #expect(await asks(fixture, .default, in: .init(hasPower: false)) == (true, 0))
            let behind = CloudConditions.State(hasPower: false, isInForeground: false)
            #expect(await asks(fixture, .default, in: behind) == (false, 0))
            let log = Log()
            let phone = fixture.phone { $0.conditions.state = behind }
            let operation = CKFetchRecordsOperation.heard("a", in: phone, log)
            async let end: Void = operation.run()
            try await until { phone.connection.conditions.waiting == 1 }
            operation.cancel()
            await end
            #expect(log.all == ["end 20"])
        },
        Sentence("Without cellular access, urgent work fails on a cellular network, and utility waits") {
            fixture in
            let cellular = CloudConditions.State(network: .cellular)
            #expect(await asks(fixture, .userInitiated, in: cellular) == (true, 0))
            let no: (CKOperation.Configuration) -> Void = { $0.allowsCellularAccess = false }
            #expect(await asks(fixture, .userInitiated, in: cellular, no) == (true, 3))
            #expect(await asks(fixture, .utility, in: cellular, no) == (false, 0))
        },
    ]

    static let network: [Sentence] = [
        Sentence("Urgent work fails after a minute without an answer") { fixture in
            for (seconds, code) in [(59, 0), (61, 4)] {
                fixture.world.server.faults.add(.init(.slow, device: "phone", count: 1, seconds: seconds))
                let log = Log()
                let operation = CKFetchRecordsOperation.heard(
                    "a", in: fixture.alice, log, quality: .userInitiated)
                operation.perRecordResultBlock = nil
                await operation.run()
                #expect(log.all == ["end \(code)"])
            }
        },
        Sentence("Other work waits for a network for seven days, and then fails") { fixture in
            let log = Log()
            let clock = fixture.world.clock
            let phone = fixture.phone { $0.conditions.state.network = .unavailable }
            let operation = CKFetchRecordsOperation.heard("a", in: phone, log, quality: .utility)
            async let end: Void = operation.run()
            try await until { clock.waiting == 1 }
            clock.advance(bySeconds: 7 * 24 * 3600 - 1)
            #expect(log.all.isEmpty && clock.waiting == 1)
            clock.advance(bySeconds: 1)
            await end
            #expect(log.all == ["end 3"])
        },
        Sentence("A test can break the network of one device, while other devices work") { fixture in
            let table: [(FaultKind, Int)] = [
                (.networkFailureBefore, 4), (.responseLost, 4), (.slow, 4), (.unavailable, 6),
            ]
            for (name, code) in table {
                fixture.world.server.faults.add(Fault(name, device: "phone", count: 1, seconds: 90))
                let (there, here) = (Log(), Log())
                await CKFetchRecordsOperation.heard("a", in: fixture.tablet, there).run()
                await CKFetchRecordsOperation.heard("a", in: fixture.alice, here).run()
                #expect(there.all == ["a 11", "end 0"])
                #expect(here.all == ["end \(code)"], "\(name)")
                fixture.world.clock.advance(bySeconds: 90)
            }
        },
        Sentence("A request fails after a pause without traffic, whose length can be set") { fixture in
            for (limit, code) in [(31.0, 0), (29, 4)] {
                fixture.world.server.faults.add(.init(.slow, device: "phone", count: 1, seconds: 30))
                let log = Log()
                let operation = CKFetchRecordsOperation.heard("a", in: fixture.alice, log) {
                    $0.timeoutIntervalForRequest = limit
                }
                operation.perRecordResultBlock = nil
                await operation.run()
                #expect(log.all == ["end \(code)"])
            }
        },
        Sentence("A round trip has a separate time limit, which includes failed attempts") { fixture in
            let clock = fixture.world.clock
            fixture.world.server.faults.add(.init(.networkFailureBefore, device: "phone"))
            let log = Log()
            let phone = fixture.phone {
                $0.pause = { clock.advance(bySeconds: TimeInterval($0.components.seconds)) }
            } watching: { _ in
                log.add("asked")
            }
            let operation = CKFetchRecordsOperation.heard("a", in: phone, log, quality: .utility) {
                $0.timeoutIntervalForResource = 10
            }
            await operation.run()
            #expect(log.all == ["asked", "asked", "asked", "asked", "end 4"])
        },
        Sentence("An operation with several requests may take longer than the limit of a round trip") {
            fixture in
            for name in ["A", "B", "C"] {
                _ = try await fixture.alice.privateCloudDatabase.save(CKRecordZone(zoneName: name))
            }
            fixture.world.server.faults.add(.init(.slow, device: "phone", seconds: 40))
            let start = fixture.world.clock.now
            let log = Log()
            let ids = ["A", "B", "C"].map {
                CKRecord.ID(recordName: "a", zoneID: CKRecordZone.ID(zoneName: $0))
            }
            let operation = CKFetchRecordsOperation.heard("a", in: fixture.alice, log) {
                $0.timeoutIntervalForResource = 50
            }
            operation.recordIDs = ids
            await operation.run()
            #expect(log.all == ["a 11", "a 11", "a 11", "end 0"])
            #expect(fixture.world.clock.now.timeIntervalSince(start) == 120)
        },
    ]
}
