import Cloudlet
import CommandShell

// The switches that pushes need, and the state of the devices that receive them.
extension CloudSession {
    /// The state of the current device for pushes.
    var pushDevice: PushDevice { pushDevices[device] ?? PushDevice() }

    /// Changes the state of the current device for pushes.
    func changePushDevice(_ change: @Sendable (inout PushDevice) -> Void) {
        change(&pushDevices[device, default: PushDevice()])
    }

    /// Changes the set-up of the app for the rest of this shell.
    func changePushSetup(_ change: @Sendable (inout PushSetup) -> Void) { change(&pushSetup) }

    /// What a device does with a push from a container in an environment.
    func treatment(
        of push: CKNotification, in place: CloudConnection.Environment, on device: String
    ) -> PushTreatment {
        pushSetup.treatment(of: push, in: place, on: pushDevices[device] ?? PushDevice())
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
