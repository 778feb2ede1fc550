public import Cloudlet

/// A device that listens for pushes from the moment it is made, so that a test misses none.
///
/// ```swift
/// let phone = try await world.listening("bob", on: "phone", "iCloud.com.example.app")
/// try await alice.publicCloudDatabase.save(record)
/// let push = await phone.next()
/// await phone.stop()
/// ```
public final class ListeningDevice: Sendable {
    /// The container as the device sees it.
    public let container: CKContainer

    private let pushes: AsyncStream<CKNotification>
    private let states: AsyncStream<Bool>
    private let task: Task<Void, Never>

    /// Opens the connection, and returns once pushes can come.
    public init(_ container: CKContainer) async {
        self.container = container
        let (states, state) = AsyncStream.makeStream(of: Bool.self)
        let (pushes, push) = AsyncStream.makeStream(of: CKNotification.self)
        (self.states, self.pushes) = (states, pushes)
        task = Task {
            for await arrived in container.pushes(onStateChange: { state.yield($0) }) { push.yield(arrived) }
            push.finish()
        }
        for await isConnected in states where isConnected { break }
    }

    /// Waits for the next push; nil if the device has stopped.
    public func next() async -> CKNotification? {
        for await push in pushes { return push }
        return nil
    }

    /// Waits until the connection has broken, as a fault or a server that stops makes it.
    public func isDisconnected() async {
        for await isConnected in states where !isConnected { break }
    }

    /// Closes the connection. Call this before the world stops.
    public func stop() async {
        task.cancel()
        await task.value
    }
}

extension CloudletWorld {
    /// A person's device that takes pushes.
    ///
    /// - Throws: `CKError` when signing in fails.
    public func listening(
        _ person: String, on device: String, _ identifier: String
    ) async throws -> ListeningDevice {
        await ListeningDevice(try await container(identifier, as: person, on: device))
    }
}
