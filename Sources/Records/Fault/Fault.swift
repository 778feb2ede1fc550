/// Something that goes wrong on purpose, so that an app can show what it does then. It concerns every call,
/// unless it names an endpoint or a device.
///
/// ```swift
/// server.faults.add(Fault(.responseLost, endpoint: "records/modify", count: 1))
/// ```
public struct Fault: Hashable, Sendable {
    /// What goes wrong.
    public var kind: FaultKind
    /// The only endpoint that it affects, such as `records/modify`; `upload` and `download` move files.
    public var endpoint: String?
    /// The only device that it affects, by the name that the client gives (`clientId`).
    public var device: String?
    /// The first of the calls that it affects: 1 is the next one.
    public var first: Int
    /// How many calls it affects; nil: all from the first on, until it is removed.
    public var count: Int?
    /// Seconds that a client is told to wait, or by which a slow answer is late.
    public var seconds: Int

    /// A fault that affects every call it can, unless it is told otherwise; without `seconds`, as many as are
    /// usual for its kind.
    public init(
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
    package func concerns(_ call: FaultCall) -> Bool {
        if let endpoint, endpoint != call.endpoint { return false }
        if let device, device != call.device { return false }
        return kind.endpoints?.contains(call.endpoint) ?? true
    }

    /// Whether it befalls the call of that number, counted from 1 among those that it concerns.
    package func befalls(_ number: Int) -> Bool {
        guard number >= first else { return false }
        return count.map { number - first < $0 } ?? true
    }
}

/// A fault in force, with its history.
public struct FaultInForce: Hashable, Sendable {
    /// Names the fault on its server; never used twice.
    public let id: Int
    /// What was added.
    public let fault: Fault
    /// Calls that it was about.
    public package(set) var met = 0
    /// Calls that it affected.
    public package(set) var struck = 0

    package init(id: Int, fault: Fault) {
        self.id = id
        self.fault = fault
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
