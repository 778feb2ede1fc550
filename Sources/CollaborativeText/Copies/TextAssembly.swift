/// A text that is assembled from copies, each of which is the whole text as one site knows it.
///
/// Use it where people who do not trust each other may write copies: participants of a share, for example.
/// The text depends only on the copies, not on their order nor on the device, so all devices with the same
/// copies have the same text, whatever the copies contain.
///
/// ## Which copy counts
///
/// The text of a site is taken from the copy of that site. Other copies add only text of the site that its
/// copy does not contain, for example because that copy was deleted. So a copy that claims other content for
/// somebody else's site has no effect. A scalar that any copy has deleted is deleted. If the parent of a
/// scalar is missing, its nearest ancestor that is present takes its place.
///
/// The text that one person may add is limited, so that the others can still write: see ``TextLimits``. A
/// copy that cannot be read is ignored. If the limits leave too little space for the text of a copy, this
/// text is ignored, but not the deletions of the copy. ``errors`` names both kinds of copies.
public struct TextAssembly: Sendable {
    private var text: CollaborativeText
    /// The errors of copies that were ignored as a whole or in part, by their names.
    public private(set) var errors: [String: TextError] = [:]
    /// For each site, the number after the highest one that any copy mentions.
    private var mentioned: [TextSite: Int] = [:]

    /// Assembles a text.
    ///
    /// Throws ``TextError/full(what:limit:)`` if the string is too long.
    ///
    /// - Parameters:
    ///   - start: The string with which all sites began: see ``CollaborativeText/init(startingWith:site:)``.
    ///   - owner: The author to whom the text belongs.
    public init(startingWith start: String, copies: [TextCopy], owner: String) throws {
        var base = try CollaborativeText(startingWith: start, site: TextSite("start"))
        let baseSite = base.tree.sites.first
        var sources = [
            Source(name: "", site: baseSite, payer: .nobody, try TextSnapshot(base.takeSnapshot()))
        ]
        text = CollaborativeText(site: base.site)
        // The owner's copies come first, then the others by name. A copy has the same name on all devices,
        // but a person may not.
        let order = copies.sorted { left, right in
            if (left.author == owner) != (right.author == owner) { return left.author == owner }
            return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
        }
        for copy in order {
            do {
                sources.append(
                    Source(
                        name: copy.name, site: copy.site,
                        payer: copy.author == owner ? .owner : .person(copy.author),
                        try TextSnapshot(copy.snapshot)))
            } catch let error as TextError {
                errors[copy.name] = error
            }
        }
        for source in sources {
            for site in source.snapshot.sites {
                mentioned[site.name] = max(mentioned[site.name] ?? 0, site.next)
            }
        }
        let segments = Self.segments(of: sources)
        insert(admitted(segments, of: sources), of: sources)
        for segment in segments where segment.isOwn {
            if let site = text.tree.index(of: segment.site) { text.tree.setNext(segment.next, of: site) }
        }
        for source in sources { delete(source) }
    }

    /// The whole text.
    public var string: String { text.text }

    /// The text for edits of a site. Nil if the site must not write, because too few of its numbers are left.
    public func text(as site: TextSite) -> CollaborativeText? {
        // Other copies may mention numbers that the site has not used: new text must not have these numbers.
        let next = mentioned[site] ?? 0
        guard next <= TextLimits.numbersPerSite / 2 else { return nil }
        var text = text
        text.site = site
        if next > 0, text.tree.index(of: site) != nil || text.tree.sites.count < TextLimits.sites {
            text.tree.setNext(next, of: text.tree.addSite(site))
        }
        return text
    }
}

// MARK: - Sources

extension TextAssembly {
    /// A copy that can be read.
    fileprivate struct Source {
        let name: String
        let site: TextSite?
        let payer: TextBudget.Payer
        let snapshot: TextSnapshot
        /// The indexes of the runs of each site, in ascending order of their numbers.
        let runs: [TextSite: [Int]]

        init(name: String, site: TextSite?, payer: TextBudget.Payer, _ snapshot: TextSnapshot) {
            (self.name, self.site, self.payer, self.snapshot) = (name, site, payer, snapshot)
            var runs: [TextSite: [Int]] = [:]
            for (index, run) in snapshot.runs.enumerated() {
                runs[snapshot.sites[run.site].name, default: []].append(index)
            }
            self.runs = runs
        }

        /// The index of the run that contains a scalar.
        func run(containing id: ScalarID) -> Int? {
            let indexes = runs[id.site] ?? []
            var (low, high) = (0, indexes.count)
            while low < high {
                let middle = (low + high) / 2
                if snapshot.runs[indexes[middle]].first <= id.number {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            guard low > 0 else { return nil }
            let run = snapshot.runs[indexes[low - 1]]
            return id.number < run.first + run.count ? indexes[low - 1] : nil
        }
    }

    /// The part of a site's numbers that is taken from one copy.
    fileprivate struct Segment {
        let source: Int
        let site: TextSite
        /// The first number that is taken from the copy; earlier ones are in the copy of the site.
        let first: Int
        let next: Int
        var isOwn: Bool
    }

    /// Decides from which copies the text of each site is taken. The segments of a site are in ascending
    /// order.
    fileprivate static func segments(of sources: [Source]) -> [Segment] {
        var own: [TextSite: Segment] = [:]
        var longest: [TextSite: Segment] = [:]
        for (index, source) in sources.enumerated() {
            for (site, next) in source.snapshot.sites {
                let segment = Segment(
                    source: index, site: site, first: 0, next: next, isOwn: site == source.site)
                if segment.isOwn, own[site] == nil { own[site] = segment }
                if next > longest[site]?.next ?? 0 { longest[site] = segment }
            }
        }
        let order: (Segment, Segment) -> Bool = { ($0.source, $0.site) < ($1.source, $1.site) }
        let rest = longest.values.compactMap { segment in
            let first = own[segment.site]?.next ?? 0
            return segment.next > first
                ? Segment(
                    source: segment.source, site: segment.site, first: first, next: segment.next, isOwn: false
                )
                : nil
        }
        return own.values.sorted(by: order) + rest.sorted(by: order)
    }
}

// MARK: - Parts

extension TextAssembly {
    /// A run, or the end of one, with the place at which it is inserted.
    fileprivate struct Part {
        var first: Int
        var parent: ScalarID?
        var side: TextTree.Side
        var stretches: [TextSnapshot.Stretch]
        let count: Int
        let source: Int

        /// The part of a run from a number on; nil if there is none.
        init?(_ run: TextSnapshot.Run, of site: TextSite, from number: Int, source: Int) {
            let skipped = max(0, number - run.first)
            guard skipped < run.count else { return nil }
            self.source = source
            count = run.count - skipped
            first = run.first + skipped
            (parent, side) = (run.parent, run.side)
            stretches = run.stretches
            if skipped == 0 { return }
            (parent, side) = (ScalarID(site: site, number: first - 1), .right)
            var rest = skipped
            for index in stretches.indices where rest > 0 {
                rest -= stretches[index].removeFirst(rest).count
            }
        }
    }

    /// The parts of the segments for which there is space, by site. The copy of a site that exceeds a limit
    /// gets an error.
    fileprivate mutating func admitted(_ segments: [Segment], of sources: [Source]) -> [TextSite: [Part]] {
        var budget = TextBudget()
        var parts: [TextSite: [Part]] = [:]
        for segment in segments {
            let source = sources[segment.source]
            let new = (source.runs[segment.site] ?? []).compactMap { index in
                Part(
                    source.snapshot.runs[index], of: segment.site, from: segment.first, source: segment.source
                )
            }
            let cost = TextBudget.Cost(
                sites: parts[segment.site] == nil ? 1 : 0,
                pieces: new.reduce(0) { $0 + 1 + $1.stretches.count },
                scalars: new.reduce(0) { $0 + $1.count })
            do throws(TextError) {
                // The start string counts towards the limits of the owner, which it cannot exceed.
                let payer = segment.source == 0 ? TextBudget.Payer.owner : source.payer
                try budget.spend(cost, of: segment.isOwn ? payer : .nobody)
                parts[segment.site, default: []] += new
            } catch {
                errors[source.name] = error
            }
        }
        return parts
    }

    /// Inserts each part after the part that contains its parent. If parts wait for each other, which only
    /// damaged or forged copies cause, the first of them is inserted at the start of the text.
    fileprivate mutating func insert(_ all: [TextSite: [Part]], of sources: [Source]) {
        let names = all.keys.sorted()
        let indexes = names.map { text.tree.addSite($0) }
        var known: [TextSite: [Range<Int>]] = [:]
        for (site, parts) in all { known[site] = parts.map { $0.first..<$0.first + $0.count } }
        var ancestors = [PresentAncestors](repeating: PresentAncestors(), count: sources.count)
        var queues = names.map { name in
            (all[name] ?? []).map { ancestors[$0.source].placed($0, among: known, sources[$0.source]) }[...]
        }
        let numbers = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        // For each site, the sites that wait for one of its numbers, the lowest number last.
        var waiting = [[(number: Int, queue: Int)]](repeating: [], count: names.count)
        var isWaiting = [Bool](repeating: false, count: names.count)
        var ready = Array(names.indices.reversed())
        var stuck = 0
        while true {
            guard let queue = ready.popLast() else {
                while stuck < names.count, queues[stuck].isEmpty { stuck += 1 }
                guard stuck < names.count else { return }
                queues[stuck][queues[stuck].startIndex].parent = nil
                queues[stuck][queues[stuck].startIndex].side = .right
                ready.append(stuck)
                continue
            }
            if isWaiting[queue] {
                isWaiting[queue] = false
                for index in waiting.indices { waiting[index].removeAll { $0.queue == queue } }
            }
            while let part = queues[queue].first {
                if let parent = part.parent, text.tree.element(parent) == nil {
                    guard let other = numbers[parent.site] else { break }
                    let place = waiting[other].firstIndex { $0.number <= parent.number }
                    waiting[other].insert((parent.number, queue), at: place ?? waiting[other].count)
                    isWaiting[queue] = true
                    break
                }
                _ = queues[queue].popFirst()
                insert(part, site: indexes[queue])
                while let next = waiting[queue].last, next.number < part.first + part.count {
                    waiting[queue].removeLast()
                    isWaiting[next.queue] = false
                    ready.append(next.queue)
                }
            }
        }
    }

    /// Finds the ancestors that are present for parts whose parents are missing, in one copy. It visits each
    /// run of the copy once, because many parts can have the same missing ancestors.
    private struct PresentAncestors {
        /// The ancestors that were found for scalars in missing runs, by the index of the run; nil: the start
        /// of the text.
        private var found: [Int: ScalarID?] = [:]

        /// The part with its nearest ancestor among the known numbers as parent.
        mutating func placed(
            _ part: Part, among known: [TextSite: [Range<Int>]], _ source: Source
        ) -> Part {
            var part = part
            var visited: [Int] = []
            while let parent = part.parent,
                !TextAssembly.contains(known[parent.site] ?? [], parent.number)
            {
                part.side = .right
                guard let run = source.run(containing: parent) else {
                    part.parent = nil
                    break
                }
                if let ancestor = found[run] {
                    part.parent = ancestor
                    break
                }
                visited.append(run)
                part.parent = source.snapshot.runs[run].parent
            }
            for run in visited { found.updateValue(part.parent, forKey: run) }
            return part
        }
    }

    /// Whether a number is in one of these ranges, which are in ascending order.
    private static func contains(_ ranges: [Range<Int>], _ number: Int) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound <= number { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(number)
    }

    private mutating func insert(_ part: Part, site: Int) {
        var parent = TextTree.Parent(element: .start, side: .right)
        if let id = part.parent, let element = text.tree.element(id) {
            parent = TextTree.Parent(element: element, side: part.side)
        }
        var first = part.first
        for stretch in part.stretches where stretch.count > 0 {
            if let scalars = stretch.text {
                text.add(Array(scalars), site: site, first: first, parent: parent)
            } else {
                text.add(count: stretch.count, start: -1, site: site, first: first, parent: parent)
            }
            first += stretch.count
            guard let last = text.tree.element(site: site, number: first - 1) else { return }
            parent = TextTree.Parent(element: last, side: .right)
        }
    }

    // MARK: Deletions

    /// Deletes the scalars that a copy has deleted.
    fileprivate mutating func delete(_ source: Source) {
        for run in source.snapshot.runs {
            guard let site = text.tree.index(of: source.snapshot.sites[run.site].name) else { continue }
            var first = run.first
            for stretch in run.stretches {
                if stretch.text == nil { delete(first..<first + stretch.count, of: site) }
                first += stretch.count
            }
        }
    }

    private mutating func delete(_ numbers: Range<Int>, of site: Int) {
        for run in text.tree.runs(of: site, touching: numbers) {
            let (first, end) = (text.tree.runs[Int(run)].first, text.tree.runs[Int(run)].end)
            let lower = Int32(max(first, numbers.lowerBound) - first)
            let upper = Int32(min(end, numbers.upperBound) - first)
            if lower < upper { _ = text.pieces.delete(run: run, lower..<upper) }
        }
    }
}
