/// The endpoints on which a device receives pushes. The query parameter `tok` is the device's push token.
package enum PushEndpoint: String, Hashable, Sendable, CaseIterable {
    /// Answers with one push, or without content after a timeout (long polling).
    case poll = "GET /push/poll"
    /// Answers with one line for each push, without end.
    case stream = "GET /push/stream"
    /// Ends the connection of a device that goes offline.
    case leave = "POST /push/leave"

    /// The path and query for a device's push token.
    package func target(token: String) -> String {
        "\(path)?tok=\(PercentEncoding.encode(token))"
    }

    /// The URL of this endpoint, derived from a device's courier URL, which is that of `poll`.
    package func address(ofCourier courier: String) -> String {
        courier.replacing(Self.poll.path + "?", with: path + "?")
    }

    /// The path and query of this endpoint, derived from a device's courier URL; nil for any other URL.
    package func target(ofCourier courier: String) -> String? {
        guard let start = courier.firstRange(of: Self.poll.path + "?") else { return nil }
        return path + "?" + courier[start.upperBound...]
    }

    private var path: String { PathTemplate(rawValue).path([:]) }
}
