/// Subscriptions sorted by the bound of a comparison, to find those whose bound a value reaches.
struct BoundIndex: Sendable {
    private struct Bound: Sendable {
        var value: SortValue
        var number: Int64

        func precedes(_ other: Bound) -> Bool {
            value == other.value ? number < other.number : value.precedes(other.value)
        }
    }

    private var bounds: [Bound] = []
    /// Whether `bounds` is sorted. Appending leaves it unsorted until the next look-up.
    private var isSorted = true

    var isEmpty: Bool { bounds.isEmpty }

    mutating func enter(_ number: Int64, _ value: SortValue, _ isNew: Bool) {
        let bound = Bound(value: value, number: number)
        if isNew {
            isSorted = isSorted && bounds.last?.precedes(bound) ?? true
            bounds.append(bound)
            return
        }
        sort()
        let index = count { $0.precedes(bound) }
        if index < bounds.count, bounds[index].number == number { bounds.remove(at: index) }
    }

    mutating func collect(notAbove value: SortValue, _ found: inout Set<Int64>) {
        if bounds.isEmpty { return }
        sort()
        let end = count { !value.precedes($0.value) }
        for bound in bounds[..<end] { found.insert(bound.number) }
    }

    mutating func collect(notBelow value: SortValue, _ found: inout Set<Int64>) {
        if bounds.isEmpty { return }
        sort()
        let start = count { $0.value.precedes(value) }
        for bound in bounds[start...] { found.insert(bound.number) }
    }

    private mutating func sort() {
        if isSorted { return }
        bounds.sort { $0.precedes($1) }
        isSorted = true
    }

    /// Returns the number of bounds at the front for which `isBefore` holds, by binary search.
    private func count(_ isBefore: (Bound) -> Bool) -> Int {
        var low = 0
        var high = bounds.count
        while low < high {
            let middle = (low + high) / 2
            if isBefore(bounds[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
