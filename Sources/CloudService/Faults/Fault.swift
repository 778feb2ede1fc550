// Owns one fault: what goes wrong, for whom, and how often.

/// A fault in force. Whatever it does not name it does not care about.
package struct Fault: Hashable, Sendable {
    package var kind: FaultKind
    /// The only endpoint that it befalls, such as `records/modify`; `upload` and `download` are those of
    /// files.
    package var endpoint: String?
    /// The only device that it befalls, by the name that the client gives (`clientId`).
    package var device: String?
    /// The first of the calls it befalls: 1 is the next one.
    package var first: Int
    /// How many calls it befalls; nil: all from the first on, until it is removed.
    package var count: Int?
    /// Seconds to wait before another try, or of delay.
    package var seconds: Int

    package init(
        _ kind: FaultKind, endpoint: String? = nil, device: String? = nil, first: Int = 1, count: Int? = nil,
        seconds: Int? = nil
    ) {
        self.kind = kind
        self.endpoint = endpoint
        self.device = device
        self.first = max(1, first)
        self.count = count
        self.seconds = seconds ?? kind.usualSeconds
    }

    /// Whether a call is one of those that it is about.
    func concerns(_ call: FaultCall) -> Bool {
        if let endpoint, endpoint != call.endpoint { return false }
        if let device, device != call.device { return false }
        return kind.endpoints?.contains(call.endpoint) ?? true
    }

    /// Whether it befalls the call of that number, counted from 1 among those that it concerns.
    func befalls(_ number: Int) -> Bool {
        guard number >= first else { return false }
        return count.map { number - first < $0 } ?? true
    }
}

/// What faults look at of a call.
package struct FaultCall: Hashable, Sendable {
    package var endpoint: String
    package var device: String?

    package init(endpoint: String, device: String? = nil) {
        self.endpoint = endpoint
        self.device = device
    }

    /// The sending of a push, and the connection on which a device takes pushes.
    package static let push = "push"
    /// The sending of a file's bytes.
    package static let upload = "upload"
    /// The fetching of a file's bytes.
    package static let download = "download"
}
