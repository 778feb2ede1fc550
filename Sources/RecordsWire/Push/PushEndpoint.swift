/// How a device takes pushes: the token of its courier is the parameter `tok` of the query.
package enum PushEndpoint: String, Hashable, Sendable, CaseIterable {
    /// Answers one push when it comes, or nothing after a while.
    case poll = "GET /push/poll"
    /// Answers a line for each push, without end.
    case stream = "GET /push/stream"
    /// Ends the connection of a device that goes off line.
    case leave = "POST /push/leave"

    /// The path and query for a device.
    package func target(token: String) -> String {
        "\(path)?tok=\(PercentEncoding.encode(token))"
    }

    /// The address for a device whose courier's address is known: that of `poll`.
    package func address(ofCourier courier: String) -> String {
        courier.replacing(Self.poll.path + "?", with: path + "?")
    }

    /// The path and query for a device whose courier's address is known; nil for another address.
    package func target(ofCourier courier: String) -> String? {
        guard let start = courier.firstRange(of: Self.poll.path + "?") else { return nil }
        return path + "?" + courier[start.upperBound...]
    }

    private var path: String { PathTemplate(rawValue).path([:]) }
}
