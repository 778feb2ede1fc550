import CommandShell

// What a device and the project's settings allow for sharing.
extension CloudSession {
    /// Throws `ShellError` on a device whose system has no dialog for sharing.
    public func checkSharingDialog() throws {
        if context.profile.hasSharingDialog { return }
        throw ShellError(
            code: "noSharing", message: "\(device) is a watch, which has no dialog for sharing",
            remedy: "use another device: on DEVICE")
    }

    /// Throws `ShellError` if the app does not declare that it supports sharing.
    ///
    /// - Parameter file: The name of the project's file, for the next step.
    public func checkSharingSupport(file: String) throws {
        if supportsSharing { return }
        throw ShellError(
            code: "sharingNotSetUp", message: "the app does not say that it supports sharing",
            remedy: PushSetup.advice(SharingSetting.name, "on", file))
    }
}

/// The setting of an app without which it cannot accept shares. On Apple platforms it is `CKSharingSupported`
/// in the app's `Info.plist`; here the project's configuration file has it: `sharing = on`.
enum SharingSetting {
    static let name = "sharing"

    /// The setting. It is a property of the project, so no flag and no variable sets it.
    static let key = ConfigurationKey(name, .choice(["on", "off"]), variables: [], default: "on")

    static func isOn(in settings: Settings) -> Bool { settings[name] != "off" }
}
