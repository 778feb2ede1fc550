import Foundation

/// A personal note in the private database of its author.
struct Note: Identifiable, Hashable, Sendable {
    /// The record name that the note is stored under.
    let id: String
    var text: String
    /// The party that the note is about. That party may have been deleted.
    var partyID: Party.ID?
    /// The name of the party when the note was written. It is stored here because notes are shown offline,
    /// when the party cannot be fetched.
    var partyName: String?
}
