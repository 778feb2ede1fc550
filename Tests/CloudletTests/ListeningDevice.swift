import CloudKit
import CloudletTesting

/// A device that listens from the moment it is made.
final class ListeningDevice: Sendable {
    let container: CKContainer
    private let pushes: AsyncStream<CKNotification>
    private let states: AsyncStream<Bool>
    private let task: Task<Void, Never>

    init(_ container: CKContainer) async {
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

    /// The next push, when it comes.
    func next() async -> CKNotification? {
        for await push in pushes { return push }
        return nil
    }

    /// Waits until the connection has broken.
    func isDisconnected() async {
        for await isConnected in states where !isConnected { break }
    }

    func stop() async {
        task.cancel()
        await task.value
    }
}

extension CloudletWorld {
    /// A person's device that takes pushes.
    func listening(_ person: String, on device: String, _ identifier: String) async throws -> ListeningDevice
    {
        await ListeningDevice(try await container(identifier, as: person, on: device))
    }
}
