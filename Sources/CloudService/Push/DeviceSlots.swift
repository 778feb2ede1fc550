import Records

extension PushHub {
    /// The hub's state for one device.
    struct DeviceSlot {
        /// The user record names of the device's owner, keyed by container: an app with several containers
        /// registers a device in each. Empty for a free slot.
        var owners: [ContainerKey: String] = [:]
        var outbox = DeviceOutbox()
        /// The connection that waits for a push, and its continuation.
        var waiting: (connection: Int, waiter: Waiter)?
        /// The device's open stream, if pushes can be written to it directly.
        var stream: DirectStream?
        /// Whether `PushDispatch` is sending the device's pushes.
        var isSending = false

        /// Whether the slot belongs to the person of this registration, in the registration's container.
        func isOwned(by device: PushToken) -> Bool { owners[device.containerKey] == device.user }

        /// The stream, if its connection waits for a push, so that a push may be written to it.
        var waitingStream: DirectStream? { waiting?.connection == stream?.connection ? stream : nil }

        /// Ends the wait of the connection. The caller resumes the waiter after it has released the lock.
        mutating func stopWaiting() -> Waiter? {
            defer { waiting = nil }
            return waiting?.waiter
        }
    }

    /// The slots of all devices. A device is looked up by its token once, then by the number of its slot.
    struct DeviceSlots {
        var slots: [DeviceSlot] = []
        private var numbers: [String: Int] = [:]
        /// Numbers of slots whose devices were removed; new devices reuse them.
        private var free: [Int] = []

        /// The slot of a device, valid until the device is removed; nil if there is none.
        func slot(of device: PushToken) -> Int? { numbers[device.text] }

        /// The slot of a device, created if necessary.
        mutating func makeSlot(for device: PushToken) -> Int {
            if let number = numbers[device.text] {
                if !slots[number].isOwned(by: device) {
                    slots[number].owners[device.containerKey] = device.user
                }
                return number
            }
            let number = free.popLast() ?? slots.count
            if number == slots.count { slots.append(DeviceSlot()) }
            slots[number].owners = [device.containerKey: device.user]
            numbers[device.text] = number
            return number
        }

        /// Removes a device and returns the content of its slot.
        mutating func remove(_ device: PushToken) -> DeviceSlot? {
            guard let number = numbers.removeValue(forKey: device.text) else { return nil }
            free.append(number)
            defer { slots[number] = DeviceSlot() }
            return slots[number]
        }

        /// Removes the devices whose slots match, and returns their tokens with the content of the slots.
        mutating func removeAll(where isRemoved: (DeviceSlot) -> Bool) -> [(text: String, slot: DeviceSlot)] {
            var removed: [(text: String, slot: DeviceSlot)] = []
            for (text, number) in numbers where isRemoved(slots[number]) {
                removed.append((text, slots[number]))
                slots[number] = DeviceSlot()
                free.append(number)
                numbers[text] = nil
            }
            return removed
        }

        /// Ends the wait of a device's connection. The caller resumes the waiter.
        mutating func stopWaiting(_ device: PushToken) -> Waiter? {
            numbers[device.text].flatMap { slots[$0].stopWaiting() }
        }

        /// Ends the waits of all connections. The caller resumes the waiters.
        mutating func stopAllWaiting() -> [Waiter] {
            slots.indices.compactMap { slots[$0].stopWaiting() }
        }
    }
}
