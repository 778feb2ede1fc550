public import Cloudlet
import CommandShell

/// The settings of an app that pushes need. On Apple platforms they are in the app's project: the push
/// capability, the push environment in the entitlements, and the background modes.
///
/// Here the project's configuration file has them:
///
/// ```
/// push = on
/// push-environment = production
/// background-modes = remote-notification
/// ```
public struct PushSetup: Equatable, Sendable {
    /// Whether the app has the push capability. Without it, no device can register.
    public var hasCapability = true
    /// The environment whose pushes the app receives; nil for that of its container, as automatic signing
    /// chooses it.
    public var environment: CloudConnection.Environment?
    /// Whether silent pushes wake the app in the background.
    public var hasBackgroundMode = false

    /// Creates a set-up with the capability, and without the background mode.
    public init() {}

    /// The set-up in the settings of a program.
    init(_ settings: Settings) {
        hasCapability = settings[Key.capability] != "off"
        environment = settings[Key.environment].flatMap(CloudConnection.Environment.init(rawValue:))
        hasBackgroundMode = settings[Key.background] == Key.remoteNotification
    }

    /// The names of the settings.
    enum Key {
        static let capability = "push"
        static let environment = "push-environment"
        static let background = "background-modes"
        static let remoteNotification = "remote-notification"
    }

    /// The settings. They are properties of the project, so no flag and no variable sets them.
    static let keys = [
        ConfigurationKey(Key.capability, .choice(["on", "off"]), variables: [], default: "on"),
        ConfigurationKey(
            Key.environment, .choice(CloudConnection.Environment.allCases.map(\.rawValue)), variables: [],
            default: "as the container"),
        ConfigurationKey(
            Key.background, .choice(["none", Key.remoteNotification]), variables: [], default: "none"),
    ]
}

/// The ways in which a device shows a push to the person. The person can forbid each of them.
enum NotificationKind: String, CaseIterable, Sendable {
    case alert, badge, sound

    /// The ways in which a push is to be shown; empty for a silent push.
    static func all(of push: CKNotification) -> [NotificationKind] {
        let alert = [
            push.alertBody, push.alertLocalizationKey, push.title, push.titleLocalizationKey, push.subtitle,
            push.subtitleLocalizationKey,
        ]
        return allCases.filter { kind in
            switch kind {
            case .alert: alert.contains { $0 != nil }
            case .badge: push.badge != nil
            case .sound: push.soundName != nil
            }
        }
    }
}

/// The state of a device that decides how it treats a push.
struct PushDevice: Equatable, Sendable {
    /// Whether the app is in the background on this device.
    var isInBackground = false
    /// The notifications that the person allows the app on this device.
    var allowed = Set(NotificationKind.allCases)
}

/// The settings of the app and the state of its devices, which together decide how a push is treated.
struct PushSettings: Sendable {
    var setup: PushSetup
    /// The state of each device. On all other devices, the app is in the foreground, and all notifications
    /// are allowed.
    var devices: [String: PushDevice] = [:]
}

/// What a device does with a push that arrives.
struct PushTreatment: Equatable, Sendable {
    enum Outcome: String, Sendable {
        /// The app's handler is called.
        case delivered
        /// The system shows the push, and the app is not called.
        case shown
        /// Neither the app nor the person gets the push.
        case withheld
    }

    var outcome: Outcome
    /// The ways in which the system shows the push.
    var shown: [NotificationKind] = []
    /// Why the push is withheld; nil if it is not.
    var reason: String?
}

extension PushSetup {
    /// What a device does with a push from a container in an environment.
    func treatment(
        of push: CKNotification, in place: CloudConnection.Environment, on device: PushDevice
    ) -> PushTreatment {
        treatment(
            asking: NotificationKind.all(of: push), isSilent: push.isSilent, in: place, on: device)
    }

    /// What a device does with a push that the system can show in these ways.
    func treatment(
        asking kinds: [NotificationKind], isSilent: Bool, in place: CloudConnection.Environment,
        on device: PushDevice
    ) -> PushTreatment {
        if let obstacle = obstacle(in: place) { return PushTreatment(outcome: .withheld, reason: obstacle) }
        guard device.isInBackground else { return PushTreatment(outcome: .delivered) }
        if isSilent {
            if hasBackgroundMode { return PushTreatment(outcome: .delivered) }
            return PushTreatment(outcome: .withheld, reason: Self.noBackgroundMode)
        }
        let shown = kinds.filter { device.allowed.contains($0) }
        if shown.isEmpty {
            let names = kinds.map(\.rawValue).joined(separator: ", ")
            return PushTreatment(
                outcome: .withheld, reason: "the person does not allow the app on this device: \(names)")
        }
        return PushTreatment(outcome: .shown, shown: shown)
    }

    /// Why no push of a container in an environment reaches the app; nil if pushes do.
    func obstacle(in place: CloudConnection.Environment) -> String? {
        guard hasCapability else { return "the app has no push capability" }
        guard let environment, environment != place else { return nil }
        return "the app's push environment is \(environment.rawValue), and the container's is "
            + place.rawValue
    }

    /// Why a silent push does not wake the app on a device; nil if it does.
    func obstacleToWaking(in place: CloudConnection.Environment, on device: PushDevice) -> String? {
        if let obstacle = obstacle(in: place) { return obstacle }
        return device.isInBackground && !hasBackgroundMode ? Self.noBackgroundMode : nil
    }

    /// The missing setting without which no push arrives, with the line of the project's file that sets it;
    /// nil if pushes arrive.
    func missingSetting(in place: CloudConnection.Environment, file: String) -> String? {
        guard let obstacle = obstacle(in: place) else { return nil }
        let advice =
            hasCapability
            ? Self.advice(Key.environment, place.rawValue, file) : Self.advice(Key.capability, "on", file)
        return "no push arrives: \(obstacle); \(advice)"
    }

    /// How to let silent pushes wake the app in the background, for this shell and permanently.
    static func backgroundAdvice(file: String) -> String {
        "in the background, pushes wake the app only after: push setup --background-mode on; to keep it, "
            + advice(Key.background, Key.remoteNotification, file)
    }

    /// The advice to change a setting in the project's file.
    static func advice(_ setting: String, _ value: String, _ file: String) -> String {
        "set `\(setting) = \(value)` in \(file)"
    }

    private static let noBackgroundMode =
        "a silent push does not wake the app: the background mode remote-notification is missing"
}
