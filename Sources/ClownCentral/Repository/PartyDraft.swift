import Foundation

/// A new party before it gets an ID.
struct PartyDraft: Hashable, Sendable {
    var name: String
    var summary: String?
    var place: String?
    var location: Coordinate?
    var starts: Date?
    var ends: Date?

    init(
        name: String,
        summary: String? = nil,
        place: String? = nil,
        location: Coordinate? = nil,
        starts: Date? = nil,
        ends: Date? = nil
    ) {
        self.name = name
        self.summary = summary
        self.place = place
        self.location = location
        self.starts = starts
        self.ends = ends
    }

    /// The party with the given ID.
    func party(id: Party.ID) -> Party {
        Party(
            id: id,
            name: name,
            summary: summary,
            place: place,
            location: location,
            starts: starts,
            ends: ends
        )
    }
}
