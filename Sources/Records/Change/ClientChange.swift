/// A person's device, under the name that the device gave itself.
package struct ClientID: Hashable, Sendable {
    package var person: String
    package var device: String

    package init(person: String, device: String) {
        self.person = person
        self.device = device
    }

    /// The device that made a change; nil if the stamp names none.
    package init?(_ stamp: Stamp) {
        guard let device = stamp.device else { return nil }
        self.init(person: stamp.by, device: device)
    }
}

/// A device's token for a batch, and the records of the batch that the server did not write.
package struct ClientChange: Hashable, Sendable {
    /// Chosen by the client, opaque to the server. Empty if the server has not applied any batch of the
    /// device.
    package var token: [UInt8]
    /// Names of the batch's records that were neither saved nor deleted.
    package var exceptions: Set<String>

    package init(token: [UInt8], exceptions: Set<String> = []) {
        self.token = token
        self.exceptions = exceptions
    }

    /// The value for a device that has not sent a batch.
    package static let nothing = ClientChange(token: [])
}
