import Foundation

/// Somebody who joined a party, in a record of their own.
struct Attendee: Identifiable, Hashable, Sendable {
    /// The record name that the attendee is stored under.
    let id: String
    var name: String
    /// The party that the attendee joined; the record goes when the party goes.
    var partyID: Party.ID
}
