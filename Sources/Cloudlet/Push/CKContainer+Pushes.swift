public import Foundation

extension CKContainer {
    /// The pushes that arrive on this device, as they arrive, from the moment this is iterated.
    ///
    /// ```swift
    /// for await push in container.pushes() {
    ///     if let zone = push as? CKRecordZoneNotification { await fetchChanges(of: zone.recordZoneID) }
    /// }
    /// ```
    ///
    /// Stands for the remote notifications that the system delivers to an app on a device. A connection that
    /// breaks is made again, after a wait that doubles up to a minute. Pushes have no guarantee, as they have
    /// none on the real platform: on every push, look into the collection
    /// (`CKFetchNotificationChangesOperation`) or fetch the changes.
    ///
    /// Ends when the task that iterates is cancelled.
    ///
    /// - Parameter onStateChange: Hears whether the connection stands.
    public func pushes(
        onStateChange: @escaping @Sendable (_ isConnected: Bool) -> Void = { _ in }
    ) -> AsyncStream<CKNotification> {
        let client = publicCloudDatabase.client(CKOperationConfiguration())
        let pause = connection.pause
        return AsyncStream(bufferingPolicy: .bufferingNewest(1000)) { continuation in
            let receiver = Task {
                var backoff = Backoff()
                while !Task.isCancelled {
                    let stood = Locked(false)
                    try? await client.pushes.takePushes {
                        if stood.withLock({ was in
                            defer { was = true }
                            return !was
                        }) {
                            onStateChange(true)
                        }
                    } _: {
                        continuation.yield($0)
                    }
                    if stood.current {
                        backoff.connected()
                        onStateChange(false)
                    }
                    try? await pause(.seconds(backoff.next()))
                }
                continuation.finish()
            }
            // The stream owns the task: it ends with the last one who listens.
            continuation.onTermination = { _ in receiver.cancel() }
        }
    }
}

extension CKContainer {
    /// Takes the pushes of one connection, for those who make it again themselves.
    ///
    /// - Parameter onOpen: Hears that the connection stands; more than once.
    /// - Throws: `CKError` when it cannot be made, and when it breaks.
    package func receivePushes(
        onOpen: @escaping @Sendable () -> Void, _ take: @escaping @Sendable (CKNotification) -> Void
    ) async throws {
        try await publicCloudDatabase.client(CKOperationConfiguration()).pushes.takePushes(
            onOpen: onOpen, take)
    }
}

extension CKContainer {
    /// Tells the server that this device goes off line: from now on it keeps the latest push only, until the
    /// device listens again. A server that is not told notices when the connection is found to be broken.
    ///
    /// - Throws: `CKError`.
    public func leavePushes() async throws {
        try await publicCloudDatabase.client(configuration ?? CKOperationConfiguration()).pushes.leavePushes()
    }

    /// Has the pushes for this person delivered by Apple's push service to the device with that token, as
    /// the system gave it to the app. The server must be able to reach that service
    /// (`cloudlet serve --apns-key`).
    ///
    /// - Throws: `CKError`; `invalidArguments` for what is no token.
    public func registerDeviceToken(_ deviceToken: Data) async throws {
        try await publicCloudDatabase.client(configuration ?? CKOperationConfiguration())
            .pushes.register(deviceToken: deviceToken)
    }
}

extension CKContainer {
    /// A page of the notification collection: every push since a token, the oldest first, whether it arrived
    /// or not. Notifications that were marked read are told as such, once.
    ///
    /// What `CKFetchNotificationChangesOperation` does, for those who await.
    ///
    /// - Throws: `CKError`; `changeTokenExpired` for a token from before what the server has forgotten.
    public func notificationChanges(
        since token: CKServerChangeToken?, resultsLimit: Int? = nil
    ) async throws -> (
        notifications: [CKNotification], changeToken: CKServerChangeToken, moreComing: Bool
    ) {
        let client = publicCloudDatabase.client(configuration ?? CKOperationConfiguration())
        let page = try await client.pushes.notifications(since: token, limit: resultsLimit ?? 0)
        return (page.notifications, page.token, page.moreComing)
    }

    /// Marks notifications as read, which the person's other devices are told; answers those that there are.
    ///
    /// What `CKMarkNotificationsReadOperation` does, for those who await.
    ///
    /// - Throws: `CKError`.
    @discardableResult
    public func markNotificationsRead(
        _ notificationIDs: [CKNotification.ID]
    ) async throws -> [CKNotification.ID] {
        try await publicCloudDatabase.client(configuration ?? CKOperationConfiguration())
            .pushes.markRead(notificationIDs)
    }
}
