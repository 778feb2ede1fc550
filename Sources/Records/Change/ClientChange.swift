/// A device of a person, as far as they have told their names.
package struct ClientID: Hashable, Sendable {
    package var person: String
    package var device: String

    package init(person: String, device: String) {
        self.person = person
        self.device = device
    }

    /// Who wrote, if that device has a name.
    package init?(_ stamp: Stamp) {
        guard let device = stamp.device else { return nil }
        self.init(person: stamp.by, device: device)
    }
}

/// The name that a device gave a batch, and what of the batch was not done.
package struct ClientChange: Hashable, Sendable {
    /// Opaque; empty where no batch of the device was taken yet.
    package var token: [UInt8]
    /// Names of records of the batch that were not saved or deleted.
    package var exceptions: Set<String>

    package init(token: [UInt8], exceptions: Set<String> = []) {
        self.token = token
        self.exceptions = exceptions
    }

    /// The last batch of a device that has sent none.
    package static let nothing = ClientChange(token: [])
}
