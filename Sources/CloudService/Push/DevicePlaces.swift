// Owns where the desk keeps what it knows of each device: found once by its token, then by a number.

import Records

extension PushDesk {
    /// How pushes get to a device whose connection is a stream.
    final class Line: Sendable {
        let device: PushToken
        let connection: Int
        let outlet: any PushOutlet
        let lane: ObjectIdentifier
        /// The number of the device's place.
        let place: Int

        init(device: PushToken, connection: Int, outlet: any PushOutlet, place: Int) {
            self.device = device
            self.connection = connection
            self.outlet = outlet
            lane = outlet.lane
            self.place = place
        }
    }

    /// What the desk knows of one device.
    struct Place {
        var outbox = DeviceOutbox()
        /// The connection that waits for something to look at.
        var waiting: (connection: Int, answer: Answer)?
        var line: Line?
        /// Whether its pushes are being sent through the gateway.
        var isServed = false

        /// Where to write what comes, as long as the connection waits for it.
        var waitingLine: Line? { waiting?.connection == line?.connection ? line : nil }

        /// Ends the waiting of the connection, if it waits; the answer is to be resumed.
        mutating func wake() -> Answer? {
            defer { waiting = nil }
            return waiting?.answer
        }
    }

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
            if let number = numbers[device.text] { return number }
            let number = free.popLast() ?? all.count
            if number == all.count { all.append(Place()) }
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

        /// Ends the waiting of all; the answers are to be resumed.
        mutating func wakeAll() -> [Answer] {
            all.indices.compactMap { all[$0].wake() }
        }
    }
}
