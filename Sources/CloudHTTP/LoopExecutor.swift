package import NIOCore

/// Runs tasks on event loops. A task that is woken on an event loop continues there, so that a request is
/// read, handled and answered without a change of threads.
///
/// Work that waits for a disk or computes for long must run elsewhere.
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
