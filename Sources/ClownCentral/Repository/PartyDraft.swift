import Foundation

/// A new party before it gets an ID.
struct PartyDraft: Hashable, Sendable {
    var name: String
    var summary: String?
    var place: String?
    var location: Coordinate?
    var starts: Date?
    var ends: Date?

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
