/// Pending changes in the order in which they were added, one for each item.
struct PendingList<Item: Hashable & Sendable, Change: Equatable & Sendable>: Sendable {
    /// A change with its place in the order.
    struct Entry: Sendable {
        var number: Int
        var change: Change
    }

    private var entries: [Item: Entry] = [:]
    private var nextNumber = 0

    var isEmpty: Bool { entries.isEmpty }

    var count: Int { entries.count }

    /// All changes, oldest first.
    var all: [Change] {
        entries.values.sorted { $0.number < $1.number }.map(\.change)
    }

    /// Appends a change, and removes another change of the same item. An equal change keeps its place.
    /// Returns whether the list has changed.
    @discardableResult
    mutating func add(_ change: Change, of item: Item) -> Bool {
        if entries[item]?.change == change { return false }
        entries[item] = Entry(number: nextNumber, change: change)
        nextNumber += 1
        return true
    }

    /// Removes a change, unless another change of the item has replaced it. Returns whether the list
    /// contained it.
    @discardableResult
    mutating func remove(_ change: Change, of item: Item) -> Bool {
        guard entries[item]?.change == change else { return false }
        entries[item] = nil
        return true
    }

    /// Removes a change and returns it with its place in the order; nil if the list does not contain it.
    mutating func take(_ change: Change, of item: Item) -> Entry? {
        guard let entry = entries[item], entry.change == change else { return nil }
        entries[item] = nil
        return entry
    }

    /// Puts back a change that was taken, unless the item has a newer change. Returns whether it was put
    /// back.
    @discardableResult
    mutating func putBack(_ entry: Entry, of item: Item) -> Bool {
        guard entries[item] == nil else { return false }
        entries[item] = entry
        return true
    }
}
