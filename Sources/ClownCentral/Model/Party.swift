import Foundation

/// A party that people can find by place, date and words.
///
/// A party knows nothing of its clowns and photos: each of those points back at its party, so that two people
/// can add to one party at the same time without a conflict.
struct Party: Identifiable, Hashable, Sendable {
    /// The record name that the party is stored under.
    let id: String
    var name: String
    var summary: String?
    var place: String?
    var location: Coordinate?
    var starts: Date?
    var ends: Date?

    init(
        id: String,
        name: String,
        summary: String? = nil,
        place: String? = nil,
        location: Coordinate? = nil,
        starts: Date? = nil,
        ends: Date? = nil
    ) {
        self.id = id
        self.name = name
        self.summary = summary
        self.place = place
        self.location = location
        self.starts = starts
        self.ends = ends
    }
}
