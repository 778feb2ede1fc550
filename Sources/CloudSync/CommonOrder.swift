/// Finds the elements that two lists have in common, in order.
///
/// Two lists with together at most `detail` elements are compared exactly, with the standard library's
/// difference, whose memory grows with the square of the number of differences. Longer lists are first cut at
/// anchors: runs of elements that occur exactly once in each list. Anchors have one element; if there are
/// none, longer runs are tried. The parts between anchors are compared separately. A part that is too long
/// and has no anchor counts as entirely different.
enum CommonOrder {
    typealias Match = (old: Int, new: Int)

    /// The largest number of elements that are compared exactly; this needs at most about 16 MB.
    static let detail = 2000
    /// The lengths of runs to try as anchors, in this order.
    private static let widths = [1, 3, 8]

    /// Returns the positions of equal elements, in ascending order in both lists.
    static func matches(_ old: [Int], _ new: [Int], detail: Int = detail) -> [Match] {
        var found: [Match] = []
        // The parts that are still to be compared; the next one is the last element.
        var parts = [(old[...], new[...])]
        while let (whole, other) = parts.popLast() {
            var (one, two) = (whole, other)
            while let first = one.first, first == two.first {
                found.append((one.startIndex, two.startIndex))
                one = one.dropFirst()
                two = two.dropFirst()
            }
            let tail = commonTail(one, two)
            if tail > 0 {
                parts.append((one.suffix(tail), two.suffix(tail)))
                parts.append((one.dropLast(tail), two.dropLast(tail)))
            } else if one.count + two.count <= detail {
                found += difference(one, two)
            } else {
                let anchors = anchors(one, two)
                if anchors.isEmpty { continue }
                // Each part begins with its anchor, so the anchor is found as part of the common prefix.
                let ends = anchors.dropFirst() + [(one.endIndex, two.endIndex)]
                for (anchor, end) in zip(anchors, ends).reversed() {
                    parts.append((one[anchor.old..<end.0], two[anchor.new..<end.1]))
                }
                parts.append((one[..<anchors[0].old], two[..<anchors[0].new]))
            }
        }
        return found
    }

    private static func commonTail(_ one: ArraySlice<Int>, _ two: ArraySlice<Int>) -> Int {
        zip(one.reversed(), two.reversed()).prefix { $0 == $1 }.count
    }

    private static func difference(_ one: ArraySlice<Int>, _ two: ArraySlice<Int>) -> [Match] {
        if one.isEmpty || two.isEmpty { return [] }
        let changes = Array(two).difference(from: Array(one))
        let (removed, inserted) = (Set(changes.removals.map(offset)), Set(changes.insertions.map(offset)))
        let kept = one.indices.filter { !removed.contains($0 - one.startIndex) }
        let same = two.indices.filter { !inserted.contains($0 - two.startIndex) }
        return zip(kept, same).map { (old: $0, new: $1) }
    }

    private static func offset(_ change: CollectionDifference<Int>.Change) -> Int {
        switch change {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }

    /// Returns the positions of runs that occur once in each list, as many as have the same order in both.
    private static func anchors(_ one: ArraySlice<Int>, _ two: ArraySlice<Int>) -> [Match] {
        for width in widths {
            let (here, there) = (uniqueRuns(one, width), uniqueRuns(two, width))
            let common = here.compactMap { run, place in there[run].map { (old: place, new: $0) } }
            if !common.isEmpty { return longestIncreasingSubsequence(common.sorted { $0.old < $1.old }) }
        }
        return []
    }

    /// Returns the positions of runs that occur only once.
    private static func uniqueRuns(_ list: ArraySlice<Int>, _ width: Int) -> [ArraySlice<Int>: Int] {
        var places: [ArraySlice<Int>: Int?] = [:]
        for start in list.indices.dropLast(width - 1) {
            let run = list[start..<start + width]
            places[run] = .some(places[run] == nil ? start : nil)
        }
        return places.compactMapValues { $0 }
    }

    /// Returns the longest subsequence of pairs, which are sorted by `old`, in which `new` increases too.
    private static func longestIncreasingSubsequence(_ pairs: [Match]) -> [Match] {
        // At index `n`, the pair with the smallest end of all increasing subsequences of length `n + 1`.
        var ends: [Int] = []
        var before: [Int?] = []
        for (index, pair) in pairs.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if pairs[ends[middle]].new < pair.new { low = middle + 1 } else { high = middle }
            }
            before.append(low > 0 ? ends[low - 1] : nil)
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var rise: [Match] = []
        var next = ends.last
        while let index = next {
            rise.append(pairs[index])
            next = before[index]
        }
        return rise.reversed()
    }
}
