/// The device conditions that decide whether requests may be sent: the network, power, and whether the app is
/// in the foreground.
///
/// Apple's framework asks the operating system. Here the app, its host program or a test sets the conditions.
/// By default the network is unmetered, power is available and the app is in the foreground. Operations with
/// a low quality of service wait for good conditions; see `CKOperation.Configuration.qualityOfService`.
///
/// ```swift
/// let connection = container.connection
/// connection.conditions.state.network = .unavailable
/// ```
public final class CloudConditions: Sendable {
    /// The kind of network that the device uses.
    public enum Network: Hashable, Sendable {
        /// No network.
        case unavailable
        /// A metered network. Operations whose `allowsCellularAccess` is false do not use it.
        case cellular
        /// An unmetered network, such as Wi-Fi or Ethernet.
        case unmetered
    }

    /// The conditions at one point in time.
    public struct State: Hashable, Sendable {
        /// The network that the device uses.
        public var network: Network
        /// Whether there is enough power for work that can wait.
        public var hasPower: Bool
        /// Whether the app is in the foreground.
        public var isInForeground: Bool

        /// Creates conditions; the defaults are the best ones.
        public init(
            network: Network = .unmetered, hasPower: Bool = true, isInForeground: Bool = true
        ) {
            self.network = network
            self.hasPower = hasPower
            self.isInForeground = isInForeground
        }
    }

    private struct Storage {
        var state = State()
        var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
        var count = 0
    }

    private let storage = Locked(Storage())

    /// Starts with the best conditions: unmetered network, power, app in the foreground.
    public init() {}

    /// The current conditions. A change resumes the requests that waited for it.
    public var state: State {
        get { storage.withLock { $0.state } }
        set {
            let watchers = storage.withLock { storage in
                storage.state = newValue
                return storage.watchers.values.map { $0 }
            }
            for watcher in watchers { watcher.yield() }
        }
    }

    /// The number of requests that wait for better conditions.
    public var waiting: Int { storage.withLock { $0.watchers.count } }

    /// Waits until `isWanted` returns true for the current state. Throws `CancellationError`.
    func wait(until isWanted: @Sendable (State) -> Bool) async throws {
        let (news, watcher) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = storage.withLock { storage in
            storage.count += 1
            storage.watchers[storage.count] = watcher
            return storage.count
        }
        defer { storage.withLock { $0.watchers[number] = nil } }
        watcher.yield()
        for await _ in news where isWanted(state) { return }
        throw CancellationError()
    }
}
