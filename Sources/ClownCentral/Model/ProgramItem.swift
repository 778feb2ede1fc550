import Foundation

/// An item of a show's program: the show itself, an act of the show, or a prop of an act.
struct ProgramItem: Identifiable, Hashable, Sendable {
    /// The record name that the item is stored under.
    let id: String
    var title: String
    /// The item that contains this one. Deleting it deletes this one too.
    var parentID: ProgramItem.ID?
    /// The number of ancestors: 0 for the show.
    var depth: Int
}
