import Records

/// The open polls and streams of each person in a container, one for each device, the oldest first.
struct OpenConnections: Sendable {
    private struct Person: Hashable {
        var container: String
        var user: String

        init(_ device: PushToken) {
            container = device.container
            user = device.user
        }
    }

    private var open: [Person: [(device: PushToken, connection: Int)]] = [:]

    /// Notes a connection in the place of the one that the device may have. Answers the device with the
    /// oldest connection when there are more than `limit` now: that one is to be ended.
    mutating func add(_ device: PushToken, _ connection: Int, limit: Int) -> PushToken? {
        let person = Person(device)
        var all = open[person] ?? []
        all.removeAll { $0.device.text == device.text }
        all.append((device, connection))
        let oldest = all.count > limit ? all.removeFirst().device : nil
        open[person] = all.isEmpty ? nil : all
        return oldest
    }

    /// Notes that a device's connection has ended; nil: whichever it has.
    mutating func remove(_ device: PushToken, _ connection: Int? = nil) {
        let person = Person(device)
        open[person]?.removeAll {
            $0.device.text == device.text && $0.connection == connection ?? $0.connection
        }
        if open[person]?.isEmpty == true { open[person] = nil }
    }
}
