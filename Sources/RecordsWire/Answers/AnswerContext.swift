package import Records

/// The circumstances of one request that show in its answer.
package struct AnswerContext: Sendable {
    /// The record name that zones without an owner get.
    package var owner: String
    /// Names the request; errors carry it.
    package var uuid: String
    /// Whether errors carry what only our own client understands (`X-Cloudlet-Details: 1`).
    package var addsDetails: Bool
    /// Makes the address from which an asset can be read; nil leaves it out.
    package var assetAddress: @Sendable (RecordID, FieldBytes.AssetSlot) -> String?

    /// `owner` is nil in the public database, which nobody owns.
    package init(
        owner: String? = nil,
        uuid: String,
        addsDetails: Bool = false,
        assetAddress: @escaping @Sendable (RecordID, FieldBytes.AssetSlot) -> String? = { _, _ in nil }
    ) {
        self.owner = owner ?? "_defaultOwner"
        self.uuid = uuid
        self.addsDetails = addsDetails
        self.assetAddress = assetAddress
    }
}
