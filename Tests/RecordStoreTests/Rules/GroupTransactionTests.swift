import RecordStore
import Records
import Synchronization
import Testing

@testable import TestKit

@Suite("Groups of writes in one transaction")
struct GroupTransactionTests {
    /// Adds a number to the state; a negative one is undone, zero throws.
    private func outcomes(_ jobs: [Int], failsLate: Bool = false) async throws -> (log: [String], [Bool]) {
        let engine = ScriptedEngine(failsLate: failsLate)
        let queue = WriteQueue<Int>()
        let successes = try await withThrowingTaskGroup(of: (Int, Bool).self) { group in
            for (index, job) in jobs.enumerated() {
                group.addTask {
                    do {
                        try await queue.submit(for: "", weight: 1, job) {}
                        return (index, true)
                    } catch is RecordError {
                        return (index, false)
                    }
                }
                try await until { queue.count == index + 1 }
            }
            while let group = queue.takeGroup() {
                do {
                    queue.finish(group, try engine.commit(group, uptime: { .zero }).outcomes)
                } catch {
                    queue.fail(group, error)
                }
            }
            var successes = jobs.map { _ in false }
            for try await (index, success) in group { successes[index] = success }
            return successes
        }
        return (engine.log.all, successes)
    }

    @Test("Jobs that stand need no savepoint")
    func standing() async throws {
        let (log, successes) = try await outcomes([1, 2])
        #expect(log == ["begin", "run 1", "run 2", "save 3", "commit"])
        #expect(successes == [true, true])
    }

    @Test("A single job that fails is not run again")
    func single() async throws {
        let (log, successes) = try await outcomes([0])
        #expect(log == ["begin", "run 0", "rollback"])
        #expect(successes == [false])
    }

    @Test("A job that is undone after others have run lets all run again with savepoints")
    func undone() async throws {
        let (log, successes) = try await outcomes([1, -1, 2, 0])
        #expect(
            log == [
                "begin", "run 1", "run -1", "rollback", "begin", "mark", "run 1", "settle 1", "mark",
                "run -1",
                "undo", "mark", "run 2", "settle 3", "mark", "run 0", "undo", "save 3", "commit",
            ])
        #expect(successes == [true, true, true, false])
    }

    @Test("An error that arrives late lets the jobs run again with savepoints")
    func late() async throws {
        let (log, successes) = try await outcomes([1, 13], failsLate: true)
        #expect(
            log == [
                "begin", "run 1", "run 13", "save 14", "rollback", "begin", "mark", "run 1", "settle 1",
                "mark",
                "run 13", "undo", "save 1", "commit",
            ])
        #expect(successes == [true, false])
    }
}

/// An engine that notes its steps. The job 13 fails when the state is saved, or at once if it runs apart.
private struct ScriptedEngine: GroupTransaction {
    let failsLate: Bool
    let log = Log()

    final class Log: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func note(_ line: String) { lines.withLock { $0.append(line) } }
    }

    func begin() -> Int {
        log.note("begin")
        return 0
    }

    func mark() { log.note("mark") }

    func run(_ work: Int, _ state: inout Int, isApart: Bool) throws -> Bool {
        log.note("run \(work)")
        if work == 0 || isApart && work == 13 { throw RecordError(.badRequest, "refused") }
        state += work
        return work > 0
    }

    func settle(_ state: Int, after before: Int, isApart: Bool) {
        if isApart { log.note("settle \(state)") }
    }

    func undo(after outcome: Result<Bool, any Error>) { log.note("undo") }

    func save(_ state: Int, replacing before: Int) throws {
        log.note("save \(state)")
        if state >= 13 { throw RecordError(.internalError, "late") }
    }

    func commit() { log.note("commit") }

    func rollback() { log.note("rollback") }

    func translated(_ error: any Error) -> any Error { error }
}
