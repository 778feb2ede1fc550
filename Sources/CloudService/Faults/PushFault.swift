import Records

/// The combined effect of the faults on one push to one device.
struct PushFault: Hashable, Sendable {
    var isDropped = false
    var delaySeconds = 0
    /// Whether the device's next push is delivered before this one.
    var isOvertaken = false
    var isDuplicated = false
    /// Whether the device goes offline.
    var isDeviceOffline = false
}

extension FaultInjector {
    /// The combined effect of the faults on a push to a device; nil if no fault applies.
    func fault(ofPushTo device: PushToken) -> PushFault? {
        let faults = applyFaults(
            [.pushDrop, .pushDelay, .pushReorder, .pushDuplicate, .deviceOffline], to: Self.push(to: device))
        if faults.isEmpty { return nil }
        let kinds = Set(faults.map(\.kind))
        return PushFault(
            isDropped: kinds.contains(.pushDrop),
            delaySeconds: faults.first { $0.kind == .pushDelay }?.seconds ?? 0,
            isOvertaken: kinds.contains(.pushReorder), isDuplicated: kinds.contains(.pushDuplicate),
            isDeviceOffline: kinds.contains(.deviceOffline))
    }

    /// Whether a fault keeps a device that wants to connect offline.
    func isOffline(_ device: PushToken) -> Bool {
        !applyFaults([.deviceOffline], to: Self.push(to: device)).isEmpty
    }

    private static func push(to device: PushToken) -> FaultCall {
        FaultCall(endpoint: FaultCall.push, device: device.client)
    }
}
