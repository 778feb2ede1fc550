/// Changes in the order in which they were added, one for each item.
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

    /// Adds a change behind the others, in the place of another change of the same item. The same change is
    /// kept where it is. Returns whether anything changed.
    @discardableResult
    mutating func add(_ change: Change, of item: Item) -> Bool {
        if entries[item]?.change == change { return false }
        entries[item] = Entry(number: nextNumber, change: change)
        nextNumber += 1
        return true
    }

    /// Removes a change, unless another change of the item has replaced it. Returns whether it was there.
    @discardableResult
    mutating func remove(_ change: Change, of item: Item) -> Bool {
        guard entries[item]?.change == change else { return false }
        entries[item] = nil
        return true
    }

    /// Removes and returns a change with its place in the order; nil if it is not there.
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
