import Records

/// The open polls and streams of each person in a container: at most one for each device, oldest first.
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

    /// Adds a connection, replacing the device's earlier one. If the person then has more than `limit`
    /// connections, returns the device with the oldest; the caller ends that connection.
    mutating func add(_ device: PushToken, _ connection: Int, limit: Int) -> PushToken? {
        let person = Person(device)
        var all = open[person] ?? []
        all.removeAll { $0.device.text == device.text }
        all.append((device, connection))
        let oldest = all.count > limit ? all.removeFirst().device : nil
        open[person] = all.isEmpty ? nil : all
        return oldest
    }

    /// Removes a device's connection; with nil, any connection of the device.
    mutating func remove(_ device: PushToken, _ connection: Int? = nil) {
        let person = Person(device)
        open[person]?.removeAll {
            $0.device.text == device.text && $0.connection == connection ?? $0.connection
        }
        if open[person]?.isEmpty == true { open[person] = nil }
    }
}
