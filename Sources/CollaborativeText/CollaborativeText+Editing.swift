extension CollaborativeText {
    /// Inserts text at a position.
    ///
    /// A position inside a character counts as the position after it. If the new text forms one character
    /// with a neighbour, as an accent after a letter does, the edit replaces the whole character, so that
    /// text of another device cannot separate its scalars.
    ///
    /// Throws ``TextError/position(_:count:)`` if the position is outside the text, and
    /// ``TextError/full(what:limit:)`` if the edit exceeds a limit.
    public mutating func insert(_ text: String, at position: Int) throws {
        try replace(position..<position, with: text)
    }

    /// Deletes a range of positions, widened to whole characters.
    ///
    /// Throws ``TextError/position(_:count:)`` if the range is outside the text, and
    /// ``TextError/full(what:limit:)`` if the site has too few numbers left.
    public mutating func delete(_ range: Range<Int>) throws {
        try replace(range, with: "")
    }

    /// Replaces a range of positions, widened to whole characters, with text.
    ///
    /// Throws the errors of ``insert(_:at:)`` and ``delete(_:)``.
    public mutating func replace(_ range: Range<Int>, with text: String) throws {
        guard range.lowerBound >= 0, range.upperBound <= count else {
            throw TextError.position(range, count: count)
        }
        let edges = CharacterEdges(
            before: scalars(in: range.lowerBound - CharacterEdges.reach..<range.lowerBound),
            head: scalars(in: range.lowerBound..<range.lowerBound + CharacterEdges.reach),
            tail: scalars(in: range.upperBound - CharacterEdges.reach..<range.upperBound),
            after: scalars(in: range.upperBound..<range.upperBound + CharacterEdges.reach),
            new: Array(text.unicodeScalars), isInsertion: range.isEmpty)
        try checkSpace(edges.text.count)
        let lower = range.lowerBound + edges.lower
        let upper = range.upperBound + edges.upper
        if lower < upper { deleteScalars(lower..<upper) }
        for start in stride(from: 0, to: edges.text.count, by: TextLimits.scalarsPerRun) {
            let part = edges.text[start..<min(edges.text.count, start + TextLimits.scalarsPerRun)]
            insertScalars(Array(part), at: lower + start)
        }
    }

    /// Changes the text to another one by inserting and deleting words.
    ///
    /// Use it if the app knows only the text before and after an edit. If the app knows each edit,
    /// ``insert(_:at:)`` and ``delete(_:)`` are more precise.
    ///
    /// Throws ``TextError/full(what:limit:)`` if the change exceeds a limit. A part of the change may be
    /// applied then.
    public mutating func change(to new: String) throws {
        try checkSpace(new.unicodeScalars.count)
        for edit in WordDifference.edits(from: text, to: new).reversed() {
            try replace(edit.range, with: edit.text)
        }
    }

    /// Returns the contributions of this site since the last call. The app stores and sends them.
    ///
    /// Consecutive typing is one contribution, so call this when an edit session pauses or ends instead of
    /// after each key.
    public mutating func takeContributions() -> [TextContribution] {
        defer { (ownContributions, finished) = ([], 0) }
        return ownContributions
    }

    private func checkSpace(_ number: Int) throws {
        guard number <= TextLimits.scalars - tree.scalars else {
            throw TextError.full(what: "scalars", limit: TextLimits.scalars)
        }
        // Besides its scalars, an edit may need one number for each range that it deletes.
        guard number + count < TextLimits.numbersPerSite - tree.next(of: site) else {
            throw TextError.full(what: "numbers of \(site)", limit: TextLimits.numbersPerSite)
        }
        guard tree.index(of: site) != nil || tree.sites.count < TextLimits.sites else {
            throw TextError.full(what: "sites", limit: TextLimits.sites)
        }
    }

    // MARK: Scalars

    private mutating func insertScalars(_ new: [Unicode.Scalar], at position: Int) {
        let own = tree.addSite(site)
        let parent = parent(at: position)
        let place = self.place(parent)
        let first = tree.next[own]
        add(new, site: own, first: first, parent: parent)
        lastTyped = tree.element(site: own, number: first)
        contribute(new, ScalarID(site: site, number: first), place)
    }

    /// The parent in the tree for new text of this site at a position: the scalar on the left if it has no
    /// right child, otherwise the next scalar, whose left child the text becomes.
    ///
    /// A person who types backwards inserts before the scalar that they typed last. That scalar then stays
    /// the parent, even if text of another person or deleted text is on the left.
    private func parent(at position: Int) -> TextTree.Parent {
        if position < count {
            let right = pieces.element(at: position)
            if right == lastTyped, !tree.hasLeftChild(right) {
                return TextTree.Parent(element: right, side: .left)
            }
        }
        let left = position == 0 ? Element.start : pieces.element(at: position - 1)
        guard tree.hasRightChild(left), let next = pieces.next(after: left) else {
            return TextTree.Parent(element: left, side: .right)
        }
        return TextTree.Parent(element: next, side: .left)
    }

    private func place(_ parent: TextTree.Parent) -> TextContribution.Position {
        switch (parent.element, parent.side) {
        case (.start, _): .start
        case (let element, .left): .before(tree.id(of: element))
        case (let element, .right): .after(tree.id(of: element))
        }
    }

    /// Appends scalars to the last run if they continue it; otherwise begins another run.
    private mutating func contribute(
        _ new: [Unicode.Scalar], _ id: ScalarID, _ place: TextContribution.Position
    ) {
        let typed = String(String.UnicodeScalarView(new))
        if continuesLastRun(id, place, count: new.count) {
            extendLastRun(with: typed)
        } else {
            ownContributions.append(TextContribution(unchecked: id, .run(typed, place)))
        }
    }

    private func continuesLastRun(
        _ id: ScalarID, _ place: TextContribution.Position, count: Int
    ) -> Bool {
        guard ownContributions.count > finished, let last = ownContributions.last, case .run = last.content,
            case .after(let end) = place
        else { return false }
        return end.site == site && end.number == id.number - 1
            && id.number - last.id.number + count <= TextLimits.scalarsPerRun
    }

    private mutating func extendLastRun(with typed: String) {
        let last = ownContributions.count - 1
        guard case .run(var text, let place) = ownContributions[last].content else { return }
        ownContributions[last].content = .deletion([])
        text.unicodeScalars.append(contentsOf: typed.unicodeScalars)
        ownContributions[last].content = .run(text, place)
    }

    private mutating func deleteScalars(_ range: Range<Int>) {
        var targets: [Piece] = []
        var rest = range.count
        pieces.forEachVisible(from: range.lowerBound) { piece in
            var cut = piece
            cut.count = min(cut.count, Int32(rest))
            rest -= Int(cut.count)
            targets.append(cut)
            return rest > 0
        }
        let own = tree.addSite(site)
        for target in targets {
            _ = pieces.delete(run: target.run, target.offset..<target.offset + target.count)
            let element = Element(run: target.run, offset: target.offset)
            contributeDeletion(
                ScalarRange(first: tree.id(of: element), count: Int(target.count)), own)
        }
    }

    /// Adds a range to the last deletion if that is the last contribution and not full; otherwise begins
    /// another deletion.
    private mutating func contributeDeletion(_ range: ScalarRange, _ own: Int) {
        if ownContributions.count > finished, let last = ownContributions.last,
            case .deletion(var ranges) = last.content,
            ranges.count < TextLimits.rangesPerDeletion
        {
            let end = ranges.count - 1
            let old = ranges[end]
            if old.first.site == range.first.site, range.first.number + range.count == old.first.number {
                ranges[end] = ScalarRange(first: range.first, count: old.count + range.count)
            } else if old.first.site == range.first.site, old.first.number + old.count == range.first.number {
                ranges[end].count += range.count
            } else {
                ranges.append(range)
            }
            ownContributions[ownContributions.count - 1].content = .deletion(ranges)
            return
        }
        let id = ScalarID(site: site, number: tree.next[own])
        tree.setNext(id.number + 1, of: own)
        ownContributions.append(TextContribution(unchecked: id, .deletion([range])))
    }

    /// Adds scalars to the tree and to the list of pieces.
    mutating func add(_ new: [Unicode.Scalar], site: Int, first: Int, parent: TextTree.Parent) {
        let start = Int32(scalars.count)
        scalars += new
        add(count: new.count, start: start, site: site, first: first, parent: parent)
    }

    /// Adds scalars whose values are stored from index `start` on; -1 adds deleted scalars.
    mutating func add(count: Int, start: Int32, site: Int, first: Int, parent: TextTree.Parent) {
        let (element, neighbour) = tree.add(site: site, first: first, count: count, parent: parent)
        let piece = Piece(run: element.run, offset: element.offset, count: Int32(count), start: start)
        switch neighbour {
        case .after(let other): pieces.insert(piece, after: other)
        case .before(let other): pieces.insert(piece, before: other)
        }
    }
}
