import Foundation

/// The outcome of a look-up.
enum Lookup<Item: Identifiable & Sendable>: Sendable where Item.ID == String {
    case found(Item)
    /// Several records have the name or begin with it; there may be more than are listed.
    case ambiguous([Item])
    case missing

    /// Decides from the records that were found for a text.
    init(_ items: [Item]) {
        switch items.count {
        case 0: self = .missing
        case 1: self = .found(items[0])
        default: self = .ambiguous(items)
        }
    }
}
