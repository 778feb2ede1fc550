extension CKContainer {
    /// Calls a handler with each push for this device, one after the other, until the task is cancelled.
    ///
    /// It replaces the app delegate's method with a fetch completion handler: the handler fetches the changes
    /// and returns a result within a limited time.
    ///
    /// ```swift
    /// await container.handlePushes { push, time in
    ///     time.extend(by: .seconds(60))
    ///     return try await fetchChanges(after: push) ? .newData : .noData
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - limit: The time for each push, on the clock of the connection. When it is over, the task of the
    ///     handler is cancelled, and the result is `failed`.
    ///   - completion: Called with the result of each push, after the handler has ended.
    ///   - handler: Does the work. If it throws, the result is `failed`.
    public func handlePushes(
        within limit: Duration = .seconds(30),
        completion: @escaping @Sendable (CKNotification, CloudFetchResult) -> Void = { _, _ in },
        handler: @escaping @Sendable (CKNotification, CloudBackgroundTime) async throws -> CloudFetchResult
    ) async {
        let pause = connection.pause
        for await push in await pushes() {
            let result = await CloudBackgroundTime.run(within: limit, pause: pause) { time in
                try await handler(push, time)
            }
            completion(push, result)
        }
    }
}
