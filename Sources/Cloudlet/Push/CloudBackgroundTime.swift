/// The result of a push handler, as an app reports it to the system on Apple platforms.
public enum CloudFetchResult: Hashable, Sendable {
    /// The app fetched new data.
    case newData
    /// There was nothing new.
    case noData
    /// The app could not fetch the changes, or exceeded its time.
    case failed
}

/// The time that an app has to handle a push.
///
/// On Apple platforms the system suspends an app that takes longer. Here the task of the handler is
/// cancelled. A handler that needs more time extends it, as with a background task on Apple platforms:
///
/// ```swift
/// time.extend(by: .seconds(60))
/// ```
public final class CloudBackgroundTime: Sendable {
    /// The granted time for which the timer has not started to wait; nil if there is none.
    private let granted: Locked<Duration?>

    private init(_ limit: Duration) { granted = Locked(limit) }

    /// Extends the time of the handler. Has no effect after the time is over.
    public func extend(by duration: Duration) {
        granted.withLock { $0 = ($0 ?? .zero) + duration }
    }

    private func take() -> Duration? {
        granted.withLock { granted in
            defer { granted = nil }
            return granted
        }
    }

    /// Runs a handler and returns its result. The result is `failed` if the handler throws, or if its time is
    /// over; then its task is cancelled, and this method returns once the handler has ended.
    static func run(
        within limit: Duration, pause: @escaping @Sendable (Duration) async throws -> Void,
        _ handler: @escaping @Sendable (CloudBackgroundTime) async throws -> CloudFetchResult
    ) async -> CloudFetchResult {
        let time = CloudBackgroundTime(limit)
        return await withTaskGroup(of: CloudFetchResult.self) { group in
            group.addTask {
                do { return try await handler(time) } catch { return .failed }
            }
            group.addTask {
                do {
                    while let duration = time.take() { try await pause(duration) }
                } catch {
                    // The handler has ended before its time was over.
                }
                return .failed
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failed
        }
    }
}
