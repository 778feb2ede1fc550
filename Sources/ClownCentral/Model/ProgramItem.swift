import Foundation

/// A line of a program: the show, an act of it, or a prop of an act.
struct ProgramItem: Identifiable, Hashable, Sendable {
    let id: String
    var title: String
    /// The line that this one stands under; it goes when that one goes.
    var parentID: ProgramItem.ID?
    /// How many lines it stands under.
    var depth: Int
}
