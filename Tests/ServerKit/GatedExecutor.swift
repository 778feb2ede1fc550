import CloudService
import Dispatch
import Synchronization

@testable import TestKit

/// An executor that holds all jobs back until the test calls `open()`.
final class GatedExecutor: TaskExecutor {
    private struct State {
        var isOpen = false
        var count = 0
        var jobs: [UnownedJob] = []
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (isOpen, waiters) = state.withLock { state in
            state.count += 1
            if !state.isOpen { state.jobs.append(job) }
            defer { state.waiters = [] }
            return (state.isOpen, state.waiters)
        }
        for waiter in waiters { waiter.resume() }
        if isOpen { run(job) }
    }

    private func run(_ job: UnownedJob) {
        DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Returns when at least `count` jobs are held back, or when the test is cancelled at its time limit.
    func waitForWork(_ count: Int = 1) async {
        while !Task.isCancelled, state.withLock({ $0.jobs.count < count }) {
            await waitForMore(than: count - 1)
        }
    }

    private func waitForMore(than count: Int) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isOver = state.withLock { state in
                    let isOver = state.jobs.count > count || Task.isCancelled
                    if !isOver { state.waiters.append(waiter) }
                    return isOver
                }
                if isOver { waiter.resume() }
            }
        } onCancel: {
            let waiters = state.withLock { state in
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.resume() }
        }
    }

    /// Runs the jobs that were held back, and every later job at once.
    func open() {
        let jobs = state.withLock { state in
            state.isOpen = true
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in jobs { run(job) }
    }

    /// Holds back every later job.
    func close() { state.withLock { $0.isOpen = false } }

    /// The number of all jobs so far, of those that are held back and of those that ran.
    var count: Int { state.withLock { $0.count } }

    var threads: WorkThreads { WorkThreads(executor: self, count: 2) }
}
