import Dispatch
import Synchronization
import Testing

@testable import AssetStore

@Suite("Threads of asset stores")
struct AssetThreadTests {
    /// Counts the jobs that it runs. A call that continues on another thread needs a further job to come
    /// back, unless the other thread has finished before the task suspends.
    private final class CountingExecutor: TaskExecutor {
        private let jobs = Atomic(0)

        var count: Int { jobs.load(ordering: .relaxed) }

        func enqueue(_ job: consuming ExecutorJob) {
            jobs.wrappingAdd(1, ordering: .relaxed)
            let job = UnownedJob(job)
            DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    private func jobs(_ work: () async throws -> Void) async throws -> Int {
        let executor = CountingExecutor()
        try await withTaskExecutorPreference(executor, operation: work)
        return executor.count
    }

    @Test("Adopted uploads are removed on another thread")
    func removal() async throws {
        try await withFolderWorld { world, _ in
            var uploads: [ReceivedUpload] = []
            for number in 0..<20 { uploads.append(try await world.receive("file \(number)")) }
            for upload in uploads { try await world.store.adopt(upload) }
            let none = try await jobs {}
            let some = try await jobs {
                for upload in uploads { await world.store.commit(upload) }
            }
            // With removals on this thread, the numbers would be equal.
            #expect(some > none)
            #expect(try await world.files(in: "incoming") == [])
        }
    }

    @Test("The sizes of contents are read on another thread")
    func sizes() async throws {
        try await withFolderWorld { world, _ in
            let checksum = try await world.receive("abc").fileChecksum
            let none = try await jobs {}
            let some = try await jobs {
                for _ in 0..<20 { _ = try await world.store.sizes(of: [checksum]) }
            }
            // With system calls on this thread, the numbers would be equal.
            #expect(some > none)
        }
    }

    @Test("An upload is removed although the request was cancelled")
    func cancelled() async throws {
        try await withFolderWorld { world, _ in
            let upload = try await world.receive("abc")
            try await world.store.adopt(upload)
            let task = Task {
                withUnsafeCurrentTask { task in
                    if let task { task.cancel() }
                }
                await world.store.commit(upload)
            }
            await task.value
            #expect(try await world.files(in: "incoming") == [])
        }
    }
}
