import Dispatch

/// Work that waits for a disk or a server.
package enum BlockingWork {
    /// Runs work on another thread, so that it blocks no event loop and no task. It runs in a cancelled task,
    /// too.
    package static func run<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { answer in
            DispatchQueue.global().async { answer.resume(with: Result(catching: work)) }
        }
    }
}
