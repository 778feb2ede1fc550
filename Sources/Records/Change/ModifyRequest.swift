/// A batch of operations on the records of one zone.
package struct ModifyRequest: Hashable, Sendable {
    package var operations: [RecordOperation]
    /// The zone of all operations. nil: the zone that the operations name, otherwise the default zone.
    package var zone: ZoneID?
    /// Whether one failure rolls back the whole batch, in zones that support it.
    package var isAtomic: Bool
    /// The device's token for the batch, and names of the batch's records that this request omits. A Cloudlet
    /// extension; other servers ignore it.
    package var clientChange: ClientChange?

    package init(
        _ operations: [RecordOperation], zone: ZoneID? = nil, isAtomic: Bool = true,
        clientChange: ClientChange? = nil
    ) {
        self.operations = operations
        self.zone = zone
        self.isAtomic = isAtomic
        self.clientChange = clientChange
    }
}
