/// A failure that a test or an operator injects to see how an app reacts. It applies to every call, unless it
/// names an endpoint or a device.
///
/// ```swift
/// server.faults.add(Fault(.responseLost, endpoint: "records/modify", count: 1))
/// ```
public struct Fault: Hashable, Sendable {
    /// The kind of failure.
    public var kind: FaultKind
    /// The only endpoint that the fault applies to, such as `records/modify`; `upload` and `download` are the
    /// transfers of files. nil: every endpoint.
    public var endpoint: String?
    /// The only device that the fault applies to, by the name that the client gives (`clientId`). nil: every
    /// device.
    public var device: String?
    /// The first matching call that the fault affects; 1 is the next one.
    public var first: Int
    /// How many matching calls the fault affects. nil: all from `first` on, until the fault is removed.
    public var count: Int?
    /// The seconds of the fault: the `retryAfter` that the client receives, or the delay of a slow answer.
    public var seconds: Int

    /// A fault that applies to every call of its kind, unless the arguments restrict it. Without `seconds` it
    /// takes the default of its kind.
    public init(
        _ kind: FaultKind, endpoint: String? = nil, device: String? = nil, first: Int = 1, count: Int? = nil,
        seconds: Int? = nil
    ) {
        self.kind = kind
        self.endpoint = endpoint
        self.device = device
        self.first = max(1, first)
        self.count = count
        self.seconds = seconds ?? kind.defaultSeconds
    }

    /// Whether the fault applies to the call's endpoint and device.
    package func concerns(_ call: FaultCall) -> Bool {
        if let endpoint, endpoint != call.endpoint { return false }
        if let device, device != call.device { return false }
        return kind.endpoints?.contains(call.endpoint) ?? true
    }

    /// Whether the fault affects the matching call with this number. Matching calls are counted from 1.
    package func affects(call number: Int) -> Bool {
        guard number >= first else { return false }
        return count.map { number - first < $0 } ?? true
    }
}

/// An active fault with its counters.
public struct ActiveFault: Hashable, Sendable {
    /// The fault's identifier on its server. It is never reused.
    public let id: Int
    /// The fault as it was added.
    public let fault: Fault
    /// The number of matching calls.
    public package(set) var matchingCalls = 0
    /// The number of calls that the fault affected.
    public package(set) var affectedCalls = 0

    package init(id: Int, fault: Fault) {
        self.id = id
        self.fault = fault
    }
}

/// The properties of a call that faults are matched with.
package struct FaultCall: Hashable, Sendable {
    package var endpoint: String
    package var device: String?

    package init(endpoint: String, device: String? = nil) {
        self.endpoint = endpoint
        self.device = device
    }

    /// The endpoint name for sending a push, and for the connection on which a device receives pushes.
    package static let push = "push"
    /// The endpoint name for uploading a file's bytes.
    package static let upload = "upload"
    /// The endpoint name for downloading a file's bytes.
    package static let download = "download"
}
