import Foundation

/// A party in the public database, which people find by place, date and words.
///
/// A party does not list its clowns and photos: each of them refers to its party. So two people can add to
/// the same party at the same time without a conflict.
struct Party: Identifiable, Hashable, Sendable {
    /// The record name that the party is stored under.
    let id: String
    var name: String
    var summary: String?
    var place: String?
    var location: Coordinate?
    var starts: Date?
    var ends: Date?
}
