import Foundation

/// A payment in a shop, optionally with a photo of the paper receipt.
struct Receipt: Identifiable, Hashable, Sendable {
    /// The record name that the receipt is stored under.
    let id: String
    var shop: String
    /// The amount in the currency of the payment. The currency is not stored.
    var amount: Double
    var date: Date
    /// The shoebox that contains the receipt. Deleting the shoebox deletes the receipt.
    var shoeboxID: Shoebox.ID?
    /// The length of the photo in bytes; nil without a photo.
    var photoByteCount: Int?
}

/// A group of receipts, for example those of one party.
struct Shoebox: Identifiable, Hashable, Sendable {
    /// The record name that the shoebox is stored under.
    let id: String
    var name: String
}
