import CloudSync
import Cloudlet
import CloudletTesting
import Foundation
import LocalReplica
import Synchronization
import Testing

@testable import TestKit

@Suite("A first sync", .timeLimit(.minutes(30)))
struct FirstSyncTests {
    private static let count = 50
    private static let page = 10

    /// A person with fifty notes on the server, and a new tablet without notes.
    private static func tablet(of person: String) async throws -> Device {
        let phone = try await SyncWorld.device(of: person, "phone")
        try await phone.sync.sync()
        for number in 0..<count { try await phone.write("text", to: "n\(number)") }
        try await phone.sync.waitUntilIdle()
        return try await SyncWorld.device(of: person, "tablet") { $0.pageSize = page }
    }

    @Test("The status says after each page how many records remain to be fetched")
    func progress() async throws {
        let tablet = try await Self.tablet(of: "firstprogress")
        var configuration = tablet.sync.configurationForTests
        configuration.pageSize = Self.page
        configuration.subscribes = false
        let heard = Mutex<[SyncProgress]>([])
        configuration.report = { status in
            heard.withLock { if $0.last?.fetched != status.progress.fetched { $0.append(status.progress) } }
        }
        let sync = CloudSync(
            container: tablet.container, replica: tablet.replica, configuration: configuration)
        try await sync.sync()
        let pages = heard.withLock { $0 }.filter { $0.fetched > 0 }
        #expect(pages.map(\.fetched) == [10, 20, 30, 40, 50])
        #expect(pages.map(\.toFetch) == [40, 30, 20, 10, nil])
    }

    @Test("The status says after each batch how many records remain to be sent")
    func sending() async throws {
        let heard = Mutex<[SyncProgress]>([])
        let phone = try await SyncWorld.device(of: "firstsending", "phone") { configuration in
            configuration.batchSize = 20
            configuration.report = { status in heard.withLock { $0.append(status.progress) } }
        }
        for number in 0..<Self.count { try await phone.write("text", to: "n\(number)") }
        try await phone.sync.waitUntilIdle()
        let sent = heard.withLock { $0 }.filter { $0.sent > 0 }
        #expect(Set(sent.map(\.sent)) == [20, 40, 50])
        #expect(Set(sent.map { $0.sent + $0.toSend }) == [50])
    }

    @Test("An interrupted first sync continues from the stored token, also in another process")
    func interrupted() async throws {
        let tablet = try await Self.tablet(of: "firststopped")
        let folder = tablet.files.appendingPathExtension("replica")
        defer { folder.remove() }
        var fetched: [Int] = []
        for life in 0..<3 {
            // Opens the file again in each round, as a new process does.
            let replica = try LocalReplica(folder: folder)
            let before = try await replica.read { try $0.count(in: "Notes") }
            let requests = Mutex(0)
            let stopping = SyncBox()
            tablet.link.hook = { target in
                guard target.contains("changes/zone") else { return }
                let number = requests.withLock { number in
                    number += 1
                    return number
                }
                // The first page is applied before the third one is requested.
                if life < 2, number == 3 { stopping.stop() }
            }
            var configuration = tablet.sync.configurationForTests
            configuration.pageSize = Self.page
            configuration.subscribes = false
            let sync = CloudSync(
                container: tablet.container, replica: replica, configuration: configuration)
            let work = Task { try await sync.sync() }
            stopping.set(work)
            if life < 2 {
                await #expect(throws: CancellationError.self) { try await work.value }
            } else {
                #expect(try await work.value.activity == .idle)
            }
            let after = try await replica.read { try $0.count(in: "Notes") }
            fetched.append(after - before)
            #expect(await sync.status.progress.fetched == after - before)
            // Only the page that was being applied, and the one on its way, are requested twice.
            let repeated = requests.withLock(\.self) - (after - before) / Self.page
            #expect((life < 2 ? 1...2 : 0...0).contains(repeated))
        }
        #expect(fetched.allSatisfy { $0 >= Self.page })
        #expect(fetched.reduce(0, +) == Self.count)
    }
}

/// Holds a task that can be cancelled before it is created.
private final class SyncBox: Sendable {
    private let state = Mutex<(task: Task<SyncStatus, any Error>?, isStopped: Bool)>((nil, false))

    func set(_ task: Task<SyncStatus, any Error>) {
        let isStopped = state.withLock { state in
            state.task = task
            return state.isStopped
        }
        if isStopped { task.cancel() }
    }

    func stop() {
        let task = state.withLock { state in
            state.isStopped = true
            return state.task
        }
        task?.cancel()
    }
}
