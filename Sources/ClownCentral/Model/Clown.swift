import Foundation

/// A clown who is assigned to a party.
struct Clown: Identifiable, Hashable, Sendable {
    /// The record name that the clown is stored under.
    let id: String
    var name: String
    /// The clown's performance, for example "juggling".
    var act: String?
    /// The party that the clown belongs to. Deleting the party deletes the clown.
    var partyID: Party.ID
}
