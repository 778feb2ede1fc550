import Foundation

/// A decoded and validated snapshot.
struct TextSnapshot {
    /// Consecutive scalars of a run, all visible or all deleted.
    struct Stretch {
        private(set) var count: Int
        /// The scalars; nil if they are deleted.
        private(set) var text: ArraySlice<Unicode.Scalar>?

        init(count: Int, text: ArraySlice<Unicode.Scalar>?) {
            self.count = count
            self.text = text
        }

        /// Removes up to `most` scalars from the start, and returns them.
        mutating func removeFirst(_ most: Int) -> Stretch {
            let number = min(most, count)
            let first = Stretch(count: number, text: text?.prefix(number))
            count -= number
            text = text?.dropFirst(number)
            return first
        }
    }

    struct Run {
        /// The index of the site.
        let site: Int
        let first: Int
        /// The parent of the run's first scalar; nil for the start of the text.
        let parent: ScalarID?
        let side: TextTree.Side
        fileprivate(set) var stretches: [Stretch]
        let count: Int
    }

    private(set) var sites: [(name: TextSite, next: Int)] = []
    private(set) var runs: [Run] = []

    /// The version of the bytes.
    static let version = 1

    init(_ data: Data) throws {
        var reader = ByteReader(data, what: "snapshot")
        let written = try reader.number(upTo: .max)
        guard written == Self.version else { throw TextError.version(written) }
        for _ in 0..<(try reader.count(upTo: TextLimits.sites)) {
            let name = try reader.site()
            sites.append((name, try reader.number(upTo: TextLimits.numbersPerSite)))
        }
        guard Set(sites.map(\.name)).count == sites.count else { throw reader.unreadable }
        try readRuns(&reader)
        let text = try reader.text(bytes: TextLimits.scalars * 4)
        try reader.end()
        guard distribute(Array(text.unicodeScalars)) else { throw reader.unreadable }
    }

    /// Reads the runs. Throws unless the runs of each site are sorted without overlaps, and the parent of
    /// each run is in an earlier run or is the start of the text.
    private mutating func readRuns(_ reader: inout ByteReader) throws {
        var ends = [Int](repeating: 0, count: sites.count)
        var total = 0
        for index in 0..<(try reader.count(upTo: TextLimits.scalars)) {
            let site = try reader.number(upTo: TextLimits.sites)
            let first = try reader.number(upTo: TextLimits.numbersPerSite)
            let parentRun = try reader.number(upTo: index)
            let place = try reader.number(upTo: TextLimits.scalars * 2)
            var stretches: [Stretch] = []
            var count = 0
            for _ in 0..<(try reader.count(upTo: TextLimits.scalars)) {
                let length = try reader.number(upTo: TextLimits.scalars)
                let isVisible = stretches.count % 2 == 0
                stretches.append(Stretch(count: length, text: isVisible ? [] : nil))
                count += length
                guard count <= TextLimits.scalars else { throw reader.unreadable }
            }
            total += count
            guard site < sites.count, count > 0, first >= ends[site], first + count <= sites[site].next,
                total <= TextLimits.scalars
            else { throw reader.unreadable }
            ends[site] = first + count
            let side: TextTree.Side = place % 2 == 0 ? .left : .right
            var parent: ScalarID?
            if parentRun > 0 {
                let other = runs[parentRun - 1]
                guard place / 2 < other.count else { throw reader.unreadable }
                parent = ScalarID(site: sites[other.site].name, number: other.first + place / 2)
            } else if place != 1 {
                throw reader.unreadable
            }
            runs.append(
                Run(site: site, first: first, parent: parent, side: side, stretches: stretches, count: count))
        }
    }

    /// Distributes the scalars of the text over the visible stretches. Returns false if their number does not
    /// match.
    private mutating func distribute(_ text: [Unicode.Scalar]) -> Bool {
        var next = 0
        for run in runs.indices {
            for index in runs[run].stretches.indices where runs[run].stretches[index].text != nil {
                let count = runs[run].stretches[index].count
                guard count <= text.count - next else { return false }
                runs[run].stretches[index] = Stretch(count: count, text: text[next..<next + count])
                next += count
            }
        }
        return next == text.count
    }
}
