import CloudService
import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A bounded number of threads with a lower priority than those that answer ordinary requests, on which tasks
/// can run. They start with the first task.
final class LowPriorityThreads: TaskExecutor {
    let count: Int
    private let pool = Mutex<NIOThreadPool?>(nil)

    /// How far the system puts these threads behind others (`setpriority`, 0 to 19).
    private static let niceness: Int32 = 10

    init(count: Int) {
        self.count = max(1, count)
    }

    /// As the service takes them.
    var work: WorkThreads { WorkThreads(executor: self, count: count) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        started.submit { _ in
            Self.lowerPriority()
            // Also when the pool has been shut down: a task must end.
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

    /// Lowers the priority of this thread alone, as Linux has it; elsewhere it would be the whole process.
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
