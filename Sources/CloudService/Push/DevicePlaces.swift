// Owns where the desk keeps what it knows of devices: found by a token once, by a number from then on.

import Records

extension PushHub {
    /// The places of all devices.
    struct Places {
        /// By their numbers, without holes: what is nobody's is empty.
        var all: [Place] = []
        private var numbers: [String: Int] = [:]
        private var free: [Int] = []

        /// The number of a device's place, if anything is known of it; the device's until it is removed.
        func knownNumber(of device: PushToken) -> Int? { numbers[device.text] }

        /// The number of a device's place, which is made if there is none.
        mutating func number(of device: PushToken) -> Int {
            if let number = numbers[device.text] {
                if all[number].owner != device.user { all[number].owner = device.user }
                return number
            }
            let number = free.popLast() ?? all.count
            if number == all.count { all.append(Place()) }
            all[number].owner = device.user
            numbers[device.text] = number
            return number
        }

        /// Takes a device's place away; its number is that of nobody then, or of another device.
        mutating func remove(_ device: PushToken) -> Place? {
            guard let number = numbers.removeValue(forKey: device.text) else { return nil }
            free.append(number)
            defer { all[number] = Place() }
            return all[number]
        }

        /// Ends the waiting of a device's connection, if it waits; the answer is to be resumed.
        mutating func wake(_ device: PushToken) -> Answer? {
            numbers[device.text].flatMap { all[$0].wake() }
        }

        /// Ends the waiting of all; the answers are to be resumed.
        mutating func wakeAll() -> [Answer] {
            all.indices.compactMap { all[$0].wake() }
        }
    }
}
