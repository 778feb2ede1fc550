import Foundation
package import Records
import Synchronization

/// Runs jobs on a limited number of connections. Each connection has a thread of its own, which waits for the
/// engine, so that callers, such as event loops, need not.
package final class ConnectionPool: Sendable {
    package typealias Job = @Sendable (Result<PostgresConnection, any Error>) -> Void

    private struct State {
        var jobs: [Job] = []
        /// The place of the next job; the earlier ones were taken.
        var next = 0
        var threads = 0
        /// Counts the losses of the engine. Connections from before the last one are not used again.
        var losses = 0
        var isClosed = false
        var closing: CheckedContinuation<Void, Never>?
    }

    private let address: String
    private let prepare: @Sendable (PostgresConnection) throws -> Void
    private let state = Mutex(State())
    /// Counts the waiting jobs, and one for each thread that has to end.
    private let work = DispatchSemaphore(value: 0)
    private let size: Int

    /// The maximum number of waiting jobs. Further ones are refused, so that a slow engine does not fill the
    /// memory.
    private static let maximumWaiting = 10_000

    /// The error for a request that would have to wait behind too many others.
    package static let tooManyWait = RecordError(
        .tryAgainLater, "too many requests wait for the database engine", nextStep: "try again in a moment",
        retryAfter: 1)

    /// - Parameter prepare: called for each connection before its first job. Its error is that of the job.
    package init(
        address: String, size: Int,
        prepare: @escaping @Sendable (PostgresConnection) throws -> Void = { _ in }
    ) {
        self.address = address
        self.prepare = prepare
        self.size = size
        state.withLock { $0.threads = size }
        for number in 1...size {
            let thread = Thread { [self] in serve() }
            thread.name = "postgres-\(number)"
            thread.start()
        }
    }

    /// Runs a job on the next free connection. Throws `tryAgainLater` if too many jobs wait.
    package func run<T: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { answer in
            submit { connection in answer.resume(with: Result { try body(connection.get()) }) }
        }
    }

    /// Runs a job and blocks the calling thread until it is done.
    package func runBlocking<T: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> T
    ) throws -> T {
        let done = DispatchSemaphore(value: 0)
        let answer = Mutex<Result<T, any Error>?>(nil)
        submit { connection in
            let result = Result { try body(connection.get()) }
            answer.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        guard let result = answer.withLock({ $0 }) else {
            throw RecordError(.internalError, "a job of the store gave no result")
        }
        return try result.get()
    }

    /// Replaces all connections before their next jobs, because the engine was lost. Otherwise, each of them
    /// would fail once.
    package func renew() {
        state.withLock { $0.losses += 1 }
    }

    /// Ends all threads and connections, after the jobs that wait.
    package func close() async {
        await withCheckedContinuation { closing in
            let isDone = state.withLock { state in
                if state.isClosed { return true }
                state.isClosed = true
                state.closing = closing
                return false
            }
            if isDone { return closing.resume() }
            for _ in 0..<size { work.signal() }
        }
    }

    /// Runs a job on the next free connection. If that is impossible, the job is called with the error on the
    /// caller's thread.
    package func submit(_ job: @escaping Job) {
        let refusal = state.withLock { state -> RecordError? in
            if state.isClosed { return RecordError(.tryAgainLater, "the store is closed") }
            guard state.jobs.count - state.next < Self.maximumWaiting else { return Self.tooManyWait }
            state.jobs.append(job)
            return nil
        }
        if let refusal { job(.failure(refusal)) } else { work.signal() }
    }

    private func serve() {
        var connection: PostgresConnection?
        var begun = 0
        while let job = nextJob() {
            let losses = state.withLock { $0.losses }
            if let last = connection, !last.isOpen || last.isInTransaction || begun != losses {
                connection = nil
            }
            do {
                let open = try connection ?? connect()
                (connection, begun) = (open, losses)
                job(.success(open))
                // A read has sent its COMMIT without waiting for the result.
                open.recover()
                if !open.isOpen { renew() }
            } catch {
                job(.failure(error))
            }
        }
        connection = nil
        let closing = state.withLock { state in
            state.threads -= 1
            return state.threads == 0 ? state.closing : nil
        }
        closing?.resume()
    }

    private func connect() throws -> PostgresConnection {
        let connection = try PostgresConnection(address)
        try prepare(connection)
        return connection
    }

    /// Waits for a job; nil once the pool is closed and no job waits.
    private func nextJob() -> Job? {
        work.wait()
        return state.withLock { state in
            guard state.next < state.jobs.count else { return nil }
            let job = state.jobs[state.next]
            state.next += 1
            if state.next == state.jobs.count {
                state.jobs.removeAll(keepingCapacity: true)
                state.next = 0
            } else if state.next >= 1024 {
                state.jobs.removeFirst(state.next)
                state.next = 0
            }
            return job
        }
    }
}
