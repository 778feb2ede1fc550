import Foundation

/// What somebody paid where, photographed if they like.
struct Receipt: Identifiable, Hashable, Sendable {
    /// The record name that the receipt is stored under.
    let id: String
    var shop: String
    /// In the currency of the country that it is from.
    var amount: Double
    var date: Date
    /// The shoebox that it lies in; the receipt goes when the shoebox goes.
    var shoeboxID: Shoebox.ID?
    /// The length of the photo in bytes, if there is one.
    var photoByteCount: Int?
}

/// A box for receipts, for example those of one party.
struct Shoebox: Identifiable, Hashable, Sendable {
    /// The record name that the shoebox is stored under.
    let id: String
    var name: String
}
