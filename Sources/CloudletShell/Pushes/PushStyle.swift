public import Cloudlet
public import CommandShell

/// How the pushes of a subscription are to look.
public struct PushStyle: Equatable, Sendable {
    /// The flags that say so.
    public static let flags = [
        FlagSpec("text", "TEXT", .text, "what the push says"),
        FlagSpec("badge", "", .nothing, "add one to the number on the app's icon"),
        FlagSpec("silent", "", .nothing, "wake the app, and show nothing"),
    ]

    var text: String?
    var raisesBadge = false
    var isSilent = false

    /// The style that the flags of a command ask for.
    public init(_ arguments: ParsedArguments) {
        text = arguments.text("text")
        raisesBadge = arguments.has("badge")
        isSilent = arguments.has("silent")
    }

    /// The style as a subscription has it.
    public var info: CKSubscription.NotificationInfo {
        CKSubscription.NotificationInfo(
            alertBody: text, soundName: text == nil ? nil : "default", shouldBadge: raisesBadge,
            shouldSendContentAvailable: isSilent)
    }
}
