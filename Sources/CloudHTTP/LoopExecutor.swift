package import NIOCore

/// Runs tasks on event loops: on the one that woke the task if there is one, so that a request is read,
/// answered and written without changing threads.
///
/// What waits for a disk or computes for long has threads of its own elsewhere.
package final class LoopExecutor: TaskExecutor {
    private let loops: any EventLoopGroup

    package init(_ loops: any EventLoopGroup) {
        self.loops = loops
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let loop = loops.any()
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
