import Foundation

/// The result of a look-up by ID or name.
enum Lookup<Item: Identifiable & Sendable>: Sendable where Item.ID == String {
    case found(Item)
    /// Several records have the name, or a name that begins with the text. The list may be incomplete.
    case ambiguous([Item])
    case missing

    /// Derives the result from the number of records found.
    init(_ items: [Item]) {
        switch items.count {
        case 0: self = .missing
        case 1: self = .found(items[0])
        default: self = .ambiguous(items)
        }
    }
}
