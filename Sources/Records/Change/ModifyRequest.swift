/// A batch of operations on the records of one zone.
package struct ModifyRequest: Hashable, Sendable {
    package var operations: [RecordOperation]
    /// nil: the zone that the operations name, else the default zone.
    package var zone: ZoneID?
    /// Whether one failure undoes all, in zones that can.
    package var isAtomic: Bool
    /// What the device calls the batch, and records of it that this request does not bring. Cloudlet's own:
    /// other servers ignore it.
    package var name: ClientChange?

    package init(
        _ operations: [RecordOperation], zone: ZoneID? = nil, isAtomic: Bool = true,
        name: ClientChange? = nil
    ) {
        self.operations = operations
        self.zone = zone
        self.isAtomic = isAtomic
        self.name = name
    }
}
