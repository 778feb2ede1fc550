/// The tree of all runs. It determines the order of their scalars.
///
/// A scalar has left and right children. Within a run, each scalar is a right child of the one before it. The
/// text is the in-order traversal: for each scalar first the subtrees of its left children, then the scalar,
/// then the subtrees of its right children; siblings are sorted by identity. New text after a scalar without
/// right children becomes its right child; otherwise it becomes a left child of the next scalar. So the text
/// that one person types at one place, forwards or backwards, is one subtree, and text of others cannot come
/// between. (The algorithm is Fugue by Weidner and Kleppmann: "The Art of the Fugue", 2023.)
struct TextTree: Sendable {
    enum Side: UInt8, Sendable {
        case left, right
    }

    /// The parent of a run: a scalar and the side on which the run is its child.
    struct Parent: Hashable, Sendable {
        var element: Element
        var side: Side
    }

    struct Run: Sendable {
        /// The index of the site.
        let site: Int
        /// The number of the first scalar.
        let first: Int
        var count: Int32
        let parent: Parent
        /// The runs whose parent is a scalar of this run, sorted by offset, side and identity.
        fileprivate var children: [Child] = []
        /// The children whose subtrees may end the text of this run's subtree, at most one for each offset:
        /// the greatest right child, unless the next scalar of the run is greater.
        fileprivate var exits: [Child] = []

        var end: Int { first + Int(count) }
    }

    fileprivate struct Child: Sendable {
        var offset: Int32
        var side: Side
        var run: Int32
    }

    /// A neighbour of new scalars in the text.
    enum Neighbour: Sendable {
        case after(Element)
        case before(Element)
    }

    private(set) var runs: [Run]
    /// The names of the sites by their index.
    private(set) var sites: [TextSite] = []
    private var siteIndexes: [TextSite: Int] = [:]
    /// For each site, the indexes of its runs in ascending order of their first numbers.
    private var runsOfSite: [[Int32]] = []
    /// For each site, the number of its next contribution.
    private(set) var next: [Int] = []
    /// The number of scalars of all runs.
    private(set) var scalars = 0
    /// For each run, the chain of left children with which the text of its subtree begins.
    private var beginnings = EdgeChains()
    /// For each run, the chain of first exits. The text of its subtree ends with the last run of the chain.
    private var endings = EdgeChains()

    init() {
        runs = [Run(site: -1, first: 0, count: 1, parent: Parent(element: .start, side: .right))]
        beginnings.add()
        endings.add()
    }

    // MARK: Sites

    func index(of site: TextSite) -> Int? { siteIndexes[site] }

    /// The index of a site, which is added if it is new.
    mutating func addSite(_ site: TextSite) -> Int {
        if let index = siteIndexes[site] { return index }
        let index = sites.count
        sites.append(site)
        siteIndexes[site] = index
        runsOfSite.append([])
        next.append(0)
        return index
    }

    /// The number of a site's next contribution.
    func next(of site: TextSite) -> Int { siteIndexes[site].map { next[$0] } ?? 0 }

    mutating func setNext(_ number: Int, of site: Int) { next[site] = max(next[site], number) }

    // MARK: Scalars

    /// The scalar with an identity; nil if it is unknown, or if the number belongs to a deletion.
    func element(_ id: ScalarID) -> Element? {
        guard let site = siteIndexes[id.site] else { return nil }
        return element(site: site, number: id.number)
    }

    func element(site: Int, number: Int) -> Element? {
        let known = runsOfSite[site]
        var (low, high) = (0, known.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[Int(known[middle])].first <= number { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let run = known[low - 1]
        let offset = number - runs[Int(run)].first
        return offset < Int(runs[Int(run)].count) ? Element(run: run, offset: Int32(offset)) : nil
    }

    /// The runs of a site that have at least one of these numbers, in ascending order.
    func runs(of site: Int, touching numbers: Range<Int>) -> ArraySlice<Int32> {
        let known = runsOfSite[site]
        func lowerBound(_ isBefore: (Run) -> Bool) -> Int {
            var (low, high) = (0, known.count)
            while low < high {
                let middle = (low + high) / 2
                if isBefore(runs[Int(known[middle])]) { low = middle + 1 } else { high = middle }
            }
            return low
        }
        let first = lowerBound { $0.end <= numbers.lowerBound }
        return known[first..<max(first, lowerBound { $0.first < numbers.upperBound })]
    }

    func id(of element: Element) -> ScalarID {
        let run = runs[Int(element.run)]
        return ScalarID(site: sites[run.site], number: run.first + Int(element.offset))
    }

    /// The parent of a scalar.
    func parent(of element: Element) -> Parent {
        guard element.offset > 0 else { return runs[Int(element.run)].parent }
        return Parent(element: Element(run: element.run, offset: element.offset - 1), side: .right)
    }

    func hasLeftChild(_ element: Element) -> Bool { !children(of: element, .left).isEmpty }

    func hasRightChild(_ element: Element) -> Bool {
        element.offset + 1 < runs[Int(element.run)].count || !children(of: element, .right).isEmpty
    }

    // MARK: Adding

    /// Adds a run. Returns its first scalar, and an adjacent scalar of the text.
    mutating func add(
        site: Int, first: Int, count: Int, parent: Parent
    ) -> (element: Element, neighbour: Neighbour) {
        let neighbour = neighbour(site: site, number: first, parent: parent)
        scalars += count
        next[site] = first + count
        if continues(parent, site: site, number: first) {
            let offset = runs[Int(parent.element.run)].count
            closeExit(of: parent.element, before: site, first)
            runs[Int(parent.element.run)].count += Int32(count)
            return (Element(run: parent.element.run, offset: offset), neighbour)
        }
        let run = Int32(runs.count)
        let place = place(of: site, first, in: parent)
        runs.append(Run(site: site, first: first, count: Int32(count), parent: parent))
        runsOfSite[site].append(run)
        let child = Child(offset: parent.element.offset, side: parent.side, run: run)
        link(child, at: place, below: parent)
        return (Element(run: run, offset: 0), neighbour)
    }

    /// Adds the last run to the children of its parent, and to the chains of runs that begin or end a
    /// subtree.
    private mutating func link(_ child: Child, at place: Int, below parent: Parent) {
        let upper = parent.element.run
        let siblings = children(of: parent.element, parent.side)
        runs[Int(upper)].children.insert(child, at: place)
        beginnings.add()
        endings.add()
        if parent.side == .left {
            if parent.element.offset == 0, place == siblings.lowerBound { beginnings.addLast(below: upper) }
            return
        }
        guard place == siblings.upperBound, isExit(child, of: upper) else { return }
        let index = lowerBound(runs[Int(upper)].exits, child.offset, .right)
        if runs[Int(upper)].exits.dropFirst(index).first?.offset == child.offset {
            runs[Int(upper)].exits[index] = child
        } else {
            runs[Int(upper)].exits.insert(child, at: index)
        }
        if index == 0 { endings.addLast(below: upper) }
    }

    /// Whether the text of a run's subtree may end with its greatest right child at an offset.
    private func isExit(_ child: Child, of upper: Int32) -> Bool {
        let run = runs[Int(upper)]
        return child.offset == run.count - 1
            || !isLess(child.run, site: run.site, number: run.first + Int(child.offset) + 1)
    }

    /// Removes the exit at the end of a run that is about to be extended, if the new scalar is greater than
    /// the exit.
    private mutating func closeExit(of end: Element, before site: Int, _ number: Int) {
        guard let last = runs[Int(end.run)].exits.last, last.offset == end.offset,
            isLess(last.run, site: site, number: number)
        else { return }
        runs[Int(end.run)].exits.removeLast()
        if runs[Int(end.run)].exits.isEmpty { endings.cut(below: end.run) }
    }

    /// Whether a new run with this parent continues the parent's run, so that it needs no run of its own.
    private func continues(_ parent: Parent, site: Int, number: Int) -> Bool {
        let run = runs[Int(parent.element.run)]
        return parent.side == .right && run.site == site && run.end == number
            && parent.element.offset == run.count - 1
    }

    /// The scalar that is adjacent in the text to the first scalar of a new run.
    private func neighbour(site: Int, number: Int, parent: Parent) -> Neighbour {
        let run = runs[Int(parent.element.run)]
        let siblings = children(of: parent.element, parent.side)
        let place = place(of: site, number, in: parent)
        var smaller: Element?
        if place > siblings.lowerBound { smaller = Element(run: run.children[place - 1].run, offset: 0) }
        // The next scalar of the parent's run is a sibling too.
        let own = Element(run: parent.element.run, offset: parent.element.offset + 1)
        if parent.side == .right, own.offset < run.count, isLess(own, site: site, number: number) {
            let ownNumber = run.first + Int(own.offset)
            let isSmaller = smaller.map { isLess($0, site: run.site, number: ownNumber) } ?? true
            if isSmaller { smaller = own }
        }
        if let smaller { return .after(last(of: smaller)) }
        if parent.side == .right { return .after(parent.element) }
        if siblings.isEmpty { return .before(parent.element) }
        return .before(first(ofRun: run.children[siblings.lowerBound].run))
    }

    /// The index at which a new run belongs among the children of the parent's run.
    private func place(of site: Int, _ number: Int, in parent: Parent) -> Int {
        let siblings = children(of: parent.element, parent.side)
        let children = runs[Int(parent.element.run)].children
        var (low, high) = (siblings.lowerBound, siblings.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if isLess(children[middle].run, site: site, number: number) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// The last scalar, in text order, of the subtree of a scalar.
    private func last(of element: Element) -> Element {
        let run = runs[Int(element.run)]
        let index = lowerBound(run.exits, element.offset, .right)
        guard index < run.exits.count else { return Element(run: element.run, offset: run.count - 1) }
        let bottom = endings.bottom(of: run.exits[index].run)
        return Element(run: bottom, offset: runs[Int(bottom)].count - 1)
    }

    /// The first scalar, in text order, of the subtree of a run.
    private func first(ofRun run: Int32) -> Element {
        Element(run: beginnings.bottom(of: run), offset: 0)
    }

    // MARK: Comparing

    private func isLess(_ run: Int32, site: Int, number: Int) -> Bool {
        isLess(Element(run: run, offset: 0), site: site, number: number)
    }

    private func isLess(_ element: Element, site: Int, number: Int) -> Bool {
        let run = runs[Int(element.run)]
        if run.site == site { return run.first + Int(element.offset) < number }
        return sites[run.site] < sites[site]
    }

    /// The indexes, in `children`, of the runs that are children of a scalar on one side.
    private func children(of element: Element, _ side: Side) -> Range<Int> {
        let children = runs[Int(element.run)].children
        guard !children.isEmpty else { return 0..<0 }
        let low = lowerBound(children, element.offset, side)
        let high =
            side == .left
            ? lowerBound(children, element.offset, .right) : lowerBound(children, element.offset + 1, .left)
        return low..<high
    }

    private func lowerBound(_ children: [Child], _ offset: Int32, _ side: Side) -> Int {
        var (low, high) = (0, children.count)
        while low < high {
            let middle = (low + high) / 2
            let child = children[middle]
            let isBefore =
                child.offset < offset || child.offset == offset && child.side.rawValue < side.rawValue
            if isBefore { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
