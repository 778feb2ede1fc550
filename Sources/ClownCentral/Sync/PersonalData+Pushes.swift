import CloudSync
import Cloudlet
import MirroredStore

// The app's answer to a push that wakes it in the background.
extension PersonalData {
    /// The additional time that the app requests, because the number of changes to fetch is unknown.
    private static let additionalTime = Duration.seconds(60)

    /// Waits for a push, fetches the changes that it announces, and returns the result for the system; nil if
    /// the task is cancelled. Then it disconnects, and the server keeps the latest undelivered push for this
    /// device.
    func answerNextPush() async -> CloudFetchResult? {
        let (results, result) = AsyncStream.makeStream(of: CloudFetchResult.self)
        let first = await withTaskGroup(of: Void.self) { group -> CloudFetchResult? in
            group.addTask { [self] in
                await container.handlePushes { _, outcome in
                    result.yield(outcome)
                } handler: { [self] push, time in
                    try await fetchChanges(after: push, within: time)
                }
                result.finish()
            }
            defer { group.cancelAll() }
            for await outcome in results { return outcome }
            return nil
        }
        try? await container.leavePushes()
        return first
    }

    /// Fetches the changes after a push, also those whose pushes were lost.
    private func fetchChanges(
        after push: CKNotification, within time: CloudBackgroundTime
    ) async throws -> CloudFetchResult {
        time.extend(by: Self.additionalTime)
        await sync.receive(push)
        await posts.posts.store.sync?.receive(push)
        let status = try await syncOnce()
        guard status.activity == .idle else { return .failed }
        return status.progress.fetched > 0 ? .newData : .noData
    }
}
