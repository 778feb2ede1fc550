public import Cloudlet

/// A device that listens for pushes. It receives the pushes of its person's subscriptions for all changes
/// that are saved after its creation.
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

    /// Opens the connection, and returns when the server has registered the device.
    public init(_ container: CKContainer) async {
        self.container = container
        let (states, state) = AsyncStream.makeStream(of: Bool.self)
        let (pushes, push) = AsyncStream.makeStream(of: CKNotification.self)
        (self.states, self.pushes) = (states, pushes)
        let arriving = await container.pushes { state.yield($0) }
        task = Task {
            for await arrived in arriving { push.yield(arrived) }
            push.finish()
        }
    }

    /// Waits for the next push; nil if the device has stopped.
    public func next() async -> CKNotification? {
        for await push in pushes { return push }
        return nil
    }

    /// Waits until the connection breaks, for example because of a fault or because the server stops.
    public func waitForDisconnect() async {
        for await isConnected in states where !isConnected { break }
    }

    /// Closes the connection. Call this before the world stops.
    public func stop() async {
        task.cancel()
        await task.value
    }
}

extension CloudletWorld {
    /// Creates a device of a person that receives pushes.
    ///
    /// - Throws: `CKError` when signing in fails.
    public func listening(
        _ person: String, on device: String, _ identifier: String
    ) async throws -> ListeningDevice {
        await ListeningDevice(try await container(identifier, as: person, on: device))
    }
}
