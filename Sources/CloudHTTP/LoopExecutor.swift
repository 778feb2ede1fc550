// Owns where a listening server's tasks run: on the event loops, where their news arrive.

import NIOCore

/// Runs tasks on event loops: on the one that woke the task if there is one, so that a request is read,
/// answered and written without changing threads.
///
/// What waits for a disk or computes for long has threads of its own elsewhere.
final class LoopExecutor: TaskExecutor {
    private let loops: any EventLoopGroup

    init(_ loops: any EventLoopGroup) {
        self.loops = loops
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let loop = loops.any()
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
