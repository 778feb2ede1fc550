import CloudKit
import CloudletServer
import CloudletTesting
import Foundation
import Testing

@testable import Cloudlet
@testable import TestKit

extension OperationSentenceTests {
    /// The time limits of an operation's request, in seconds.
    private static func limits(
        _ fixture: Fixture, own: (CKOperation.Configuration) -> Void = { _ in },
        group: ((CKOperation.Configuration) -> Void)? = nil,
        change: (CKOperation) -> Void = { _ in }
    ) async -> [Int64?] {
        let seen = Locked<[Int64?]>([])
        let phone = fixture.watched { request in
            seen.withLock { $0 = [request.idleTimeout, request.timeout].map { $0?.components.seconds } }
        }
        let operation = CKFetchRecordsOperation.heard("a", in: phone, Log(), own)
        if let group {
            let shared = CKOperationGroup()
            let defaults = CKOperation.Configuration()
            group(defaults)
            shared.defaultConfiguration = defaults
            operation.group = shared
        }
        change(operation)
        await operation.run()
        return seen.current
    }

    static let configuration: [Sentence] = [
        Sentence("An operation copies its configuration; setting nil restores the defaults") { _ in
            let configuration = CKOperation.Configuration()
            configuration.timeoutIntervalForRequest = 7
            let operation = CKFetchRecordsOperation(recordIDs: [])
            operation.configuration = configuration
            configuration.timeoutIntervalForRequest = 8
            operation.configuration.timeoutIntervalForRequest = 9
            #expect(operation.configuration.timeoutIntervalForRequest == 7)
            operation.configuration = nil
            #expect(operation.configuration.timeoutIntervalForRequest == 60)
        },
        Sentence("The older properties of an operation read and write its configuration") { fixture in
            let operation = CKFetchRecordsOperation(recordIDs: [])
            operation.container = fixture.bob
            operation.timeoutIntervalForRequest = 5
            operation.timeoutIntervalForResource = 6
            operation.allowsCellularAccess = false
            operation.isLongLived = true
            let now = try #require(operation.configuration)
            #expect(now.container?.connection.deviceName == "laptop")
            #expect(now.timeoutIntervalForRequest == 5 && now.timeoutIntervalForResource == 6)
            #expect(!now.allowsCellularAccess && now.isLongLived)
            let changed = CKOperation.Configuration()
            changed.timeoutIntervalForRequest = 7
            operation.configuration = changed
            #expect(operation.timeoutIntervalForRequest == 7 && operation.allowsCellularAccess)
        },
        Sentence("Without a container, the default one is used; its error names the missing URL") { _ in
            let log = Log()
            let operation = CKFetchRecordsOperation(recordIDs: [CKRecord.ID(recordName: "a")])
            operation.fetchRecordsResultBlock = { result in
                let text = result.failure?.localizedDescription ?? ""
                log.add("\(result.code) \(text.contains("CLOUDLET_URL"))")
            }
            #expect(operation.configuration.container == nil)
            await operation.run()
            #expect(log.all == ["5 true"])
        },
        Sentence("By default: default quality, any network, not long-lived, a minute without traffic") {
            fixture in
            let configuration = CKOperation.Configuration()
            #expect(configuration.qualityOfService == .default)
            #expect(configuration.allowsCellularAccess && !configuration.isLongLived)
            #expect(configuration.timeoutIntervalForRequest == 60)
            #expect(await limits(fixture).first == 60)
        },
        Sentence("The quality of service determines the time limit of a round trip") { fixture in
            let week: Int64 = 7 * 24 * 3600
            let table: [(QualityOfService, Int64?)] = [
                (.userInteractive, nil), (.userInitiated, nil), (.default, week), (.utility, week),
                (.background, week),
            ]
            for (quality, limit) in table {
                let configuration = CKOperation.Configuration()
                configuration.qualityOfService = quality
                #expect(configuration.timeoutIntervalForResource == limit.map(Double.init) ?? -1)
                #expect(await limits(fixture, own: { $0.qualityOfService = quality }) == [60, limit])
            }
        },
        Sentence("Each property of an operation has precedence over the property of its group") { fixture in
            let both = await limits(fixture) {
                $0.timeoutIntervalForRequest = 7
            } group: {
                $0.timeoutIntervalForRequest = 8
                $0.timeoutIntervalForResource = 9
            }
            #expect(both == [7, 9])
            #expect(await limits(fixture, group: { $0.timeoutIntervalForRequest = 8 }).first == 8)
        },
        Sentence("A property that is set to its default value also has precedence over the group") {
            fixture in
            let both = await limits(fixture) {
                $0.timeoutIntervalForRequest = 60
            } group: {
                $0.timeoutIntervalForRequest = 8
            }
            #expect(both.first == 60)
        },
        Sentence("The quality of service of the operation itself determines its time limits") { fixture in
            #expect(await limits(fixture, change: { $0.qualityOfService = .userInteractive }) == [60, nil])
        },
        Sentence("Calls in configuredWith use the given configuration or group") { fixture in
            let seen = Log()
            let phone = fixture.watched { seen.add("\($0.idleTimeout?.components.seconds ?? -1)") }
            let configuration = CKOperation.Configuration()
            configuration.timeoutIntervalForRequest = 11
            let group = CKOperationGroup()
            let defaults = CKOperation.Configuration()
            defaults.timeoutIntervalForRequest = 12
            group.defaultConfiguration = defaults
            await phone.privateCloudDatabase.configuredWith(configuration: configuration) { database in
                _ = try? await database.record(for: CKRecord.ID(recordName: "a"))
            }
            await phone.privateCloudDatabase.configuredWith(group: group) { database in
                _ = try? await database.record(for: CKRecord.ID(recordName: "a"))
            }
            #expect(seen.all == ["11", "12"])
        },
    ]

    static let groups: [Sentence] = [
        Sentence("A new group has a unique ID, quantity 0 and unknown sizes, and can be archived") { _ in
            let group = CKOperationGroup()
            #expect(group.operationGroupID != CKOperationGroup().operationGroupID)
            #expect(group.quantity == 0 && group.name == nil)
            #expect(group.expectedSendSize == .unknown && group.expectedReceiveSize == .unknown)
            group.name = "Photos"
            group.quantity = 3
            group.expectedSendSize = .tensOfMegabytes
            let data = try NSKeyedArchiver.archivedData(withRootObject: group, requiringSecureCoding: true)
            let copy = try #require(
                try NSKeyedUnarchiver.unarchivedObject(ofClass: CKOperationGroup.self, from: data))
            #expect(copy.operationGroupID == group.operationGroupID)
            #expect(copy.name == "Photos" && copy.quantity == 3)
            #expect(copy.expectedSendSize == .tensOfMegabytes && copy.expectedReceiveSize == .unknown)
        },
        Sentence("The transfer sizes have the raw values from 0 to 7, in the order of their sizes") { _ in
            let bands: [CKOperationGroup.TransferSize] = [
                .unknown, .kilobytes, .megabytes, .tensOfMegabytes, .hundredsOfMegabytes, .gigabytes,
                .tensOfGigabytes, .hundredsOfGigabytes,
            ]
            #expect(bands.map(\.rawValue) == Array(0...7))
        },
        Sentence("Setting the database sets the container, also if the group has another one") { fixture in
            let targets = Log()
            let group = CKOperationGroup()
            let defaults = CKOperation.Configuration()
            defaults.container = fixture.bob
            group.defaultConfiguration = defaults
            let operation = CKFetchRecordsOperation(recordIDs: [CKRecord.ID(recordName: "a")])
            operation.group = group
            operation.database =
                fixture.watched { targets.add($0.target.contains("/public/") ? "public" : "other") }
                .publicCloudDatabase
            #expect(operation.configuration.container?.connection.deviceName == "phone")
            await operation.run()
            #expect(targets.all == ["public"])
        },
    ]

    static let documents: [Sentence] = [
        Sentence("An operation without arguments finishes without a request") { fixture in
            let plain = CKOperation()
            await plain.run()
            #expect(plain.isFinished)
            let log = Log()
            let kinds: [CKDatabaseOperation] = [
                CKModifyRecordsOperation(), CKModifyRecordZonesOperation(), CKModifySubscriptionsOperation(),
                CKFetchRecordsOperation(), CKFetchRecordZonesOperation(), CKFetchSubscriptionsOperation(),
            ]
            for operation in kinds {
                operation.database = fixture.watched { _ in log.add("asked") }.privateCloudDatabase
                await operation.run()
                #expect(operation.isFinished)
            }
            #expect(log.all.isEmpty)
        },
        Sentence("A database or a container runs an operation; in a queue it needs its database") { fixture in
            let targets = Log()
            let phone = fixture.watched { request in
                targets.add(request.target.contains("/public/") ? "public" : "private")
            }
            let inDatabase = CKFetchRecordsOperation(recordIDs: [CKRecord.ID(recordName: "a")])
            phone.publicCloudDatabase.add(inDatabase)
            try await until { inDatabase.isFinished }
            #expect(inDatabase.database?.databaseScope == .public)
            let inContainer = CKFetchRecordsOperation(recordIDs: [CKRecord.ID(recordName: "a")])
            phone.add(inContainer)
            try await until { inContainer.isFinished }
            let elsewhere = CKFetchRecordsOperation(recordIDs: [CKRecord.ID(recordName: "a")])
            elsewhere.database = phone.publicCloudDatabase
            await elsewhere.run()
            #expect(targets.all == ["public", "private", "public"])
        },
        Sentence("An operation object runs once") { fixture in
            let log = Log()
            let operation = CKFetchRecordsOperation.heard(
                "a", in: fixture.watched { _ in log.add("asked") }, log)
            await operation.run()
            operation.start()
            operation.cancel()
            await operation.run(waitsFor: fixture)
            #expect(log.all == ["asked", "a 11", "end 0"])
        },
        Sentence("A cancelled operation reports only the items that were done before") { fixture in
            let log = Log()
            for name in ["A", "B"] {
                _ = try await fixture.alice.privateCloudDatabase.save(CKRecordZone(zoneName: name))
            }
            let records = ["A", "B"].map { party("a", zone: CKRecordZone.ID(zoneName: $0)) }
            let operation = CKModifyRecordsOperation.heard(records, in: fixture.alice, log)
            operation.perRecordSaveBlock = { [unowned operation] id, result in
                log.add("\(id.zoneID.zoneName) \(result.code)")
                operation.cancel()
            }
            await operation.run()
            #expect(log.all == ["A 0", "end 20"])
            let done = try await fixture.tablet.privateCloudDatabase.records(for: records.map(\.recordID))
            #expect(done.values.filter { $0.code == 0 }.count == 1)
        },
        Sentence("Every operation has a unique ID, which does not change") { _ in
            let operation = CKFetchRecordsOperation()
            #expect(operation.operationID == operation.operationID)
            #expect(operation.operationID != CKFetchRecordsOperation().operationID)
        },
        Sentence("The device refuses further requests until the time of a rate limit has passed") { fixture in
            fixture.world.server.faults.add(.init(.rateLimited, device: "phone", count: 1, seconds: 30))
            let log = Log()
            let phone = fixture.watched { _ in log.add("asked") }
            for seconds in [0, 29, 1] as [TimeInterval] {
                fixture.world.clock.advance(bySeconds: seconds)
                await CKFetchRecordsOperation.heard("a", in: phone, log).run()
            }
            #expect(log.all == ["asked", "end 7", "end 7", "asked", "a 11", "end 0"])
        },
    ]
}

extension CKOperation {
    /// Runs another fetch. If the operation had been started twice, its second request would precede this
    /// one.
    fileprivate func run(waitsFor fixture: Fixture) async {
        let other = CKFetchRecordsOperation.heard("b", in: fixture.alice, Log())
        await other.run()
    }
}
