import Records

/// What goes wrong with one push on its way to one device.
struct PushFault: Hashable, Sendable {
    var isDropped = false
    var delaySeconds = 0
    /// Whether the next push gets ahead of it.
    var isOvertaken = false
    var isDuplicated = false
    /// Whether the device loses its network.
    var isDeviceOffline = false
}

extension FaultInjector {
    /// What goes wrong with a push to a device; nil if nothing does.
    func fault(ofPushTo device: PushToken) -> PushFault? {
        let faults = strikes(
            [.pushDrop, .pushDelay, .pushReorder, .pushDuplicate, .deviceOffline], on: Self.push(to: device))
        if faults.isEmpty { return nil }
        let kinds = Set(faults.map(\.kind))
        return PushFault(
            isDropped: kinds.contains(.pushDrop),
            delaySeconds: faults.first { $0.kind == .pushDelay }?.seconds ?? 0,
            isOvertaken: kinds.contains(.pushReorder), isDuplicated: kinds.contains(.pushDuplicate),
            isDeviceOffline: kinds.contains(.deviceOffline))
    }

    /// Whether a device that wants to connect has no network.
    func isOffline(_ device: PushToken) -> Bool {
        !strikes([.deviceOffline], on: Self.push(to: device)).isEmpty
    }

    private static func push(to device: PushToken) -> FaultCall {
        FaultCall(endpoint: FaultCall.push, device: device.client)
    }
}
