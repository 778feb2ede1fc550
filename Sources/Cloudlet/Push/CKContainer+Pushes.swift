public import Foundation

extension CKContainer {
    /// Starts to listen for the pushes of this device, and returns them in the order of their arrival.
    ///
    /// ```swift
    /// for await push in await container.pushes() {
    ///     if let zone = push as? CKRecordZoneNotification { await fetchChanges(of: zone.recordZoneID) }
    /// }
    /// ```
    ///
    /// When this method returns, the server has registered the device: the stream contains the pushes for all
    /// changes that are saved afterwards. It keeps the latest 1000 unread pushes. Until the registration the
    /// method waits, even if the server cannot be reached or nobody is signed in, so call it in the task that
    /// iterates the stream. If that task is cancelled, the method returns, and the iteration ends at once.
    ///
    /// The stream replaces the remote notifications that the system delivers on Apple platforms. If the
    /// connection breaks, it is opened again after a delay that doubles up to a minute. A connection on which
    /// nothing arrives for 75 seconds counts as broken; the server sends an empty line every 25 seconds.
    /// While the connection is broken, the server keeps only the latest push. As on Apple platforms, delivery
    /// is then not guaranteed: on every push, fetch the changes or read the notification collection
    /// (`CKFetchNotificationChangesOperation`).
    ///
    /// All listeners over one `CloudConnection` and its copies, such as several containers, sync engines and
    /// stores with one container identifier, share one connection, and each receives all pushes. When the
    /// listener that opened it ends, it breaks for the others, and one of them opens it again at once. A
    /// second `CloudConnection` with the same device name replaces the first one's connection for pushes.
    ///
    /// The stream ends when the task that iterates it is cancelled.
    ///
    /// - Parameter onStateChange: Called with true when the connection is open, and with false when it
    ///   breaks.
    public func pushes(
        onStateChange: @escaping @Sendable (_ isConnected: Bool) -> Void = { _ in }
    ) async -> AsyncStream<CKNotification> {
        let (registration, registered) = AsyncStream.makeStream(of: Never.self)
        let pushes = receivedPushes { isConnected in
            onStateChange(isConnected)
            if isConnected { registered.finish() }
        }
        // Ends when the first connection is open, or when the task is cancelled.
        for await _ in registration {}
        return pushes
    }

    /// Returns a stream of pushes, and opens the first connection in the background.
    private func receivedPushes(
        onStateChange: @escaping @Sendable (_ isConnected: Bool) -> Void
    ) -> AsyncStream<CKNotification> {
        let (database, pause) = (publicCloudDatabase, connection.pause)
        return AsyncStream(bufferingPolicy: .bufferingNewest(1000)) { continuation in
            let receiver = Task {
                var backoff = Backoff()
                while !Task.isCancelled {
                    let wasOpen = Locked(false)
                    let client = database.client(CKOperationConfiguration())
                    // Called for all bytes that arrive; only the first ones change the state.
                    let isHandedOver = await client.pushes.takePushesUntilHandOver {
                        if wasOpen.withLock({ was in
                            defer { was = true }
                            return !was
                        }) {
                            onStateChange(true)
                        }
                    } _: {
                        continuation.yield($0)
                    }
                    if wasOpen.current {
                        backoff.connected()
                        onStateChange(false)
                    }
                    if isHandedOver { continue }
                    try? await pause(.seconds(backoff.next()))
                }
                continuation.finish()
            }
            // The stream owns the task: the task ends when nothing iterates the stream any more.
            continuation.onTermination = { _ in receiver.cancel() }
        }
    }
}

extension CKContainer {
    /// Receives pushes over one connection until it breaks, for callers that reconnect themselves.
    ///
    /// - Parameter onOpen: Called when the connection is open; possibly more than once.
    /// - Throws: `CKError` if the connection cannot be opened, and when it breaks;
    ///   `PushConnectionHandover` if it is to be opened again at once.
    package func receivePushes(
        onOpen: @escaping @Sendable () -> Void, _ take: @escaping @Sendable (CKNotification) -> Void
    ) async throws {
        try await publicCloudDatabase.client(CKOperationConfiguration()).pushes.takePushes(
            onOpen: onOpen, take)
    }
}

extension CKContainer {
    /// Tells the server that this device goes offline. From then on the server keeps only the latest push for
    /// the device, until it listens again. Without this call the server does so only after it has detected
    /// that the connection is broken.
    ///
    /// - Throws: `CKError`.
    public func leavePushes() async throws {
        try await publicCloudDatabase.client(configuration ?? CKOperationConfiguration()).pushes.leavePushes()
    }

    /// Registers a device token, as the system gave it to the app: Apple's push service then delivers the
    /// pushes for this person to that device. The server must have access to Apple's push service (`cloudlet
    /// serve --apns-key`).
    ///
    /// - Throws: `CKError.invalidArguments` if the data is no valid token, and other `CKError`s.
    public func registerDeviceToken(_ deviceToken: Data) async throws {
        try await publicCloudDatabase.client(configuration ?? CKOperationConfiguration())
            .pushes.register(deviceToken: deviceToken)
    }
}

extension CKContainer {
    /// Fetches a page of the notification collection: all pushes since a token, oldest first, including those
    /// that did not reach the device. A notification that was marked as read is replaced by a later one of
    /// the type `readNotification` with the same ID.
    ///
    /// It is the async form of `CKFetchNotificationChangesOperation`.
    ///
    /// - Throws: `CKError.changeTokenExpired` if the token is older than the oldest notification that the
    ///   server keeps, and other `CKError`s.
    public func notificationChanges(
        since token: CKServerChangeToken?, resultsLimit: Int? = nil
    ) async throws -> (
        notifications: [CKNotification], changeToken: CKServerChangeToken, moreComing: Bool
    ) {
        let client = publicCloudDatabase.client(configuration ?? CKOperationConfiguration())
        let page = try await client.pushes.notifications(since: token, limit: resultsLimit ?? 0)
        return (page.notifications, page.token, page.moreComing)
    }

    /// Marks notifications as read, notifies the person's other devices, and returns the IDs of those that
    /// exist.
    ///
    /// It is the async form of `CKMarkNotificationsReadOperation`.
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
