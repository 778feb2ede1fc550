import Foundation

/// A person who joined a party, stored in a record of its own.
struct Attendee: Identifiable, Hashable, Sendable {
    /// The record name that the attendee is stored under.
    let id: String
    var name: String
    /// The party that the attendee joined. Deleting the party deletes the attendee.
    var partyID: Party.ID
}
