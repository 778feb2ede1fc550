import Foundation

/// A personal note, which nobody else sees.
struct Note: Identifiable, Hashable, Sendable {
    /// The record name that the note is stored under.
    let id: String
    var text: String
    /// The party that the note is about; the party may be gone.
    var partyID: Party.ID?
    /// What the party was called when the note was written, since notes are read without a network.
    var partyName: String?
}
