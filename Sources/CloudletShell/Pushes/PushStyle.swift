public import Cloudlet
public import CommandShell

/// The presentation of a subscription's pushes.
public struct PushStyle: Equatable, Sendable {
    /// The flags for the presentation.
    public static let flags = [
        FlagSpec("text", "TEXT", .text, "what the push says"),
        FlagSpec("badge", "", .nothing, "add one to the number on the app's icon"),
        FlagSpec("silent", "", .nothing, "wake the app, and show nothing"),
    ]

    var text: String?
    var raisesBadge = false
    var isSilent = false

    /// The style in the flags of a command.
    public init(_ arguments: ParsedArguments) {
        text = arguments.text("text")
        raisesBadge = arguments.has("badge")
        isSilent = arguments.has("silent")
    }

    /// The style in the form that subscriptions use.
    public var info: CKSubscription.NotificationInfo {
        CKSubscription.NotificationInfo(
            alertBody: text, soundName: text == nil ? nil : "default", shouldBadge: raisesBadge,
            shouldSendContentAvailable: isSilent)
    }
}
