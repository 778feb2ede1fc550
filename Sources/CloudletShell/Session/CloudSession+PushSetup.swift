public import Cloudlet
import CommandShell
import Synchronization

// The settings of the app that pushes need, and the state of the devices that receive pushes.
extension CloudSession {
    /// The set-up of the app.
    nonisolated var pushSetup: PushSetup { pushSettings.withLock { $0.setup } }

    /// The state of the current device for pushes.
    var pushDevice: PushDevice { deviceState(device) }

    private nonisolated func deviceState(_ device: String) -> PushDevice {
        pushSettings.withLock { $0.devices[device] } ?? PushDevice()
    }

    /// Changes the state of the current device for pushes.
    func changePushDevice(_ change: @Sendable (inout PushDevice) -> Void) {
        let device = device
        pushSettings.withLock { change(&$0.devices[device, default: PushDevice()]) }
    }

    /// Changes the set-up of the app for the rest of this shell.
    nonisolated func changePushSetup(_ change: @Sendable (inout PushSetup) -> Void) {
        pushSettings.withLock { change(&$0.setup) }
    }

    /// What a device does with a push from a container in an environment.
    nonisolated func treatment(
        of push: CKNotification, in place: CloudConnection.Environment, on device: String
    ) -> PushTreatment {
        pushSetup.treatment(of: push, in: place, on: deviceState(device))
    }

    /// Whether the app on a device gets a push from a container in an environment.
    public nonisolated func appGets(
        _ push: CKNotification, in place: CloudConnection.Environment, on device: String
    ) -> Bool {
        treatment(of: push, in: place, on: device).outcome == .delivered
    }

    /// The first missing setting without which pushes do not always wake the app, and how to set it; nil if
    /// none is missing.
    ///
    /// A missing background mode is named only once in a shell, because an app in the foreground does not
    /// need it.
    public func missingPushSetting(file: String) -> String? {
        if let missing = pushSetup.missingSetting(in: place.environment, file: file) { return missing }
        if pushSetup.hasBackgroundMode || hasNamedBackgroundMode { return nil }
        hasNamedBackgroundMode = true
        return PushSetup.backgroundAdvice(file: file)
    }

    /// Throws `ShellError` if this device cannot register for pushes.
    func checkPushRegistration() throws {
        if !pushSetup.hasCapability, let reason = pushSetup.obstacle(in: place.environment) {
            throw Self.pushError("\(device) cannot register for pushes: \(reason)")
        }
    }

    /// Throws `ShellError` if no push can arrive on this device.
    func checkPushArrival() throws {
        if let reason = pushSetup.obstacle(in: place.environment) {
            throw Self.pushError("no push arrives on \(device): \(reason)")
        }
    }

    /// Throws `ShellError` if a silent push cannot wake the app on this device.
    public func checkWaking() throws {
        if let reason = pushSetup.obstacleToWaking(in: place.environment, on: pushDevice) {
            throw Self.pushError("no push wakes the app on \(device): \(reason)")
        }
    }

    private static func pushError(_ message: String) -> ShellError {
        ShellError(code: "pushNotSetUp", message: message, remedy: "push check")
    }
}
