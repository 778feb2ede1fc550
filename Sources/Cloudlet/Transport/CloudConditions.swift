/// What requests of a connection may use at this moment, told by whoever knows: an app, a host, a test.
///
/// The real framework asks the system. Here it is a value: as long as nobody says otherwise, the network is
/// good, there is power, and the app is in front. Work that can wait, waits; see
/// `CKOperation.Configuration.qualityOfService`.
///
/// ```swift
/// let connection = container.connection
/// connection.conditions.state.network = .unavailable
/// ```
public final class CloudConditions: Sendable {
    /// The network that a device is in.
    public enum Network: Hashable, Sendable {
        /// None.
        case unavailable
        /// One that costs by what is sent, which operations without `allowsCellularAccess` keep off.
        case cellular
        /// One that may be used at will.
        case unmetered
    }

    /// Everything that counts.
    public struct State: Hashable, Sendable {
        /// The network.
        public var network: Network
        /// Whether there is power enough for work that nobody waits for.
        public var hasPower: Bool
        /// Whether the person has the app before them.
        public var isInForeground: Bool

        /// A device on a good network, with power and the app in front, unless told otherwise.
        public init(
            network: Network = .unmetered, hasPower: Bool = true, isInForeground: Bool = true
        ) {
            self.network = network
            self.hasPower = hasPower
            self.isInForeground = isInForeground
        }
    }

    private struct Inside {
        var state = State()
        var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
        var count = 0
    }

    private let inside = Locked(Inside())

    /// The best conditions.
    public init() {}

    /// How things are. Requests that waited for what is now so go on.
    public var state: State {
        get { inside.withLock { $0.state } }
        set {
            let watchers = inside.withLock { inside in
                inside.state = newValue
                return inside.watchers.values.map { $0 }
            }
            for watcher in watchers { watcher.yield() }
        }
    }

    /// How many requests wait for better conditions.
    public var waiting: Int { inside.withLock { $0.watchers.count } }

    /// Returns once things are as wanted. Throws `CancellationError`.
    func wait(until isWanted: @Sendable (State) -> Bool) async throws {
        let (news, watcher) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = inside.withLock { inside in
            inside.count += 1
            inside.watchers[inside.count] = watcher
            return inside.count
        }
        defer { inside.withLock { $0.watchers[number] = nil } }
        watcher.yield()
        for await _ in news where isWanted(state) { return }
        throw CancellationError()
    }
}
