import CloudService
import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A task executor with a limited number of threads. On Linux, their priority is lower than that of the
/// threads that answer ordinary requests. The threads start with the first task.
final class LowPriorityThreads: TaskExecutor {
    let count: Int
    private let pool = Mutex<NIOThreadPool?>(nil)

    /// The nice value of these threads (`setpriority`, 0 to 19).
    private static let niceness: Int32 = 10

    init(count: Int) {
        self.count = max(1, count)
    }

    /// The executor and its number of threads, as `CloudService` takes them.
    var work: WorkThreads { WorkThreads(executor: self, count: count) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        started.submit { _ in
            Self.lowerPriority()
            // Runs the job even if the pool has been shut down, because every task must end.
            job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }

    private var started: NIOThreadPool {
        pool.withLock { pool in
            if let pool { return pool }
            let new = NIOThreadPool(numberOfThreads: count)
            new.start()
            pool = new
            return new
        }
    }

    /// Lowers the priority of the current thread on Linux. Does nothing on other systems, where the call
    /// would affect the whole process.
    private static func lowerPriority() {
        #if os(Linux)
        let process = __priority_which_t(PRIO_PROCESS.rawValue)
        if getpriority(process, 0) != niceness { setpriority(process, 0, niceness) }
        #endif
    }

    func close() async {
        try? await pool.withLock(\.self)?.shutdownGracefully()
    }
}
