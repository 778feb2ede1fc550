/// The simulated quality of a device's network.
enum NetworkProfile: String, CaseIterable, Sendable {
    /// Every request passes at once.
    case on
    /// There is no network: every request fails at once.
    case off
    /// Every third request is lost: alternately before the server receives it and after the server has
    /// answered.
    case lossy
    /// Every request takes three more seconds.
    case slow
    /// There is a network, but nothing passes: every request fails when its time limit is over.
    case dead

    /// The description for the help.
    var summary: String {
        switch self {
        case .on: "let this device reach the server again"
        case .off: "take this device offline, as in an airplane"
        case .lossy: "lose every third request of this device, or its answer"
        case .slow: "delay every request of this device by three seconds"
        case .dead: "let nothing pass between this device and the server, without telling the device"
        }
    }

    /// Whether any request on such a network can reach the server.
    var reachesServer: Bool {
        switch self {
        case .on, .lossy, .slow: true
        case .off, .dead: false
        }
    }

    /// The state of a device's network in words.
    var state: String {
        switch self {
        case .on: "online"
        case .off: "offline"
        case .lossy, .slow, .dead: "on a \(rawValue) network"
        }
    }

    /// The text in the prompt; nil for a network without problems.
    var mark: String? {
        switch self {
        case .on: nil
        case .off: "offline"
        case .lossy, .slow, .dead: "\(rawValue) network"
        }
    }
}
