import Dispatch
import Foundation
import Records
import RecordsWire
import SQLiteSupport
import Synchronization
import Testing

@testable import RecordStoreSQLite
@testable import TestKit

@Suite("The duration of a commit")
struct CommitTimeTests {
    @Test("A commit that has taken 50 ms begins no further write; waiting writes get commits of their own")
    func groups() async throws {
        try await withFolder { folder in
            let clock = PushedClock()
            let store = try SQLiteStore(
                file: folder.appendingPathComponent("slow.sqlite"), durability: .process, newIdentity: 7,
                codec: FieldJSON(), uptime: { clock.time })
            let (count, begun) = (6, DispatchSemaphore(value: 0))
            let commits = try await withThrowingTaskGroup(of: Int?.self) { group in
                // Blocks the writer until the other commits wait for it.
                group.addTask {
                    try await store.write(for: "_mallory") { _, _ in
                        for _ in 0..<count { begun.wait() }
                        return (true, nil)
                    }
                }
                for number in 0..<count {
                    group.addTask {
                        begun.signal()
                        return try await store.write(for: number % 2 == 0 ? "_mallory" : "_bob") { _, state in
                            clock.push(by: .milliseconds(50))
                            return (true, state.commits)
                        }
                    }
                }
                var commits: [Int] = []
                for try await number in group { if let number { commits.append(number) } }
                return commits
            }
            #expect(commits.count == count)
            #expect(Set(commits).count == count)
            try await store.close()
        }
    }
}

/// A clock that advances only on request.
private final class PushedClock: Sendable {
    private let passed = Mutex(Duration.zero)

    var time: Duration { passed.withLock { $0 } }

    func push(by duration: Duration) { passed.withLock { $0 += duration } }
}
