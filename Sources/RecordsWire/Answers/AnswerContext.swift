package import Records

/// The parts of a request that its answer depends on.
package struct AnswerContext: Sendable {
    /// The user record name that answers give as the owner of zones without one.
    package var owner: String
    /// The record name of the caller, whose part in a share answers show; nil for an anonymous caller.
    package var person: String?
    /// The request's identifier, which errors contain.
    package var uuid: String
    /// Whether answers contain the details that only Cloudlet's own client uses (`X-Cloudlet-Details: 1`).
    package var addsDetails: Bool
    /// The start of the URLs of shares, to which their short GUIDs are appended; nil omits the URLs.
    package var shareAddress: String?
    /// Encrypts the number of a change for a caller who does not own the database; nil shows real numbers.
    package var encryptedNumber: (@Sendable (Int64) -> Int64)?
    /// Returns the download URL of an asset; nil omits it.
    package var assetAddress: @Sendable (RecordID, FieldBytes.AssetSlot) -> String?

    /// `owner` is nil in the public database, which has no owner.
    package init(
        owner: String? = nil,
        person: String? = nil,
        uuid: String,
        addsDetails: Bool = false,
        shareAddress: String? = nil,
        assetAddress: @escaping @Sendable (RecordID, FieldBytes.AssetSlot) -> String? = { _, _ in nil }
    ) {
        self.owner = owner ?? "_defaultOwner"
        self.person = person
        self.uuid = uuid
        self.addsDetails = addsDetails
        self.shareAddress = shareAddress
        self.assetAddress = assetAddress
    }

    /// The number of a change as the answer shows it.
    func shown(_ number: Int64) -> Int64 { encryptedNumber?(number) ?? number }

    /// A change tag as the answer shows it.
    func shown(_ tag: ChangeTag?) -> ChangeTag? {
        guard let encryptedNumber, let number = tag?.number else { return tag }
        return ChangeTag(sequence: encryptedNumber(number))
    }
}
