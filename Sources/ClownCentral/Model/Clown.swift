import Foundation

/// A clown who is assigned to a party.
struct Clown: Identifiable, Hashable, Sendable {
    /// The record name that the clown is stored under.
    let id: String
    var name: String
    /// What the clown performs, for example "juggling".
    var act: String?
    /// The party that the clown belongs to; the clown goes when the party goes.
    var partyID: Party.ID

    init(id: String, name: String, act: String? = nil, partyID: Party.ID) {
        self.id = id
        self.name = name
        self.act = act
        self.partyID = partyID
    }
}
