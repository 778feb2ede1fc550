extension CollaborativeText {
    /// Applies a contribution of any site.
    ///
    /// A contribution that was applied before has no further effect. A contribution that arrives before
    /// others on which it depends waits for them. Throws ``TextError`` if the contribution contradicts an
    /// applied one, or a limit is reached. Then the text is unchanged.
    ///
    /// - Returns: The errors of contributions that waited for this one and turned out to be invalid.
    @discardableResult
    public mutating func apply(_ contribution: TextContribution) throws -> [TextError] {
        let site = contribution.id.site
        let old = tree.next(of: site)
        try applyOrKeep(contribution)
        let new = tree.next(of: site)
        guard new > old else { return [] }
        return applyWaiting([(site, old..<new)])
    }

    /// Applies contributions in order. Throws the first error, and does not apply the contributions after it.
    ///
    /// - Returns: The errors of contributions that waited for these and turned out to be invalid.
    @discardableResult
    public mutating func apply(_ contributions: some Sequence<TextContribution>) throws -> [TextError] {
        try contributions.flatMap { try apply($0) }
    }

    /// The contributions that arrived before others on which they depend, sorted by ID.
    public var waitingContributions: [TextContribution] { waiting.all }

    /// Applies the contributions that waited for the given numbers, and then those that waited for these,
    /// until none is left.
    mutating func applyWaiting(_ arrived: [(site: TextSite, numbers: Range<Int>)]) -> [TextError] {
        var (queue, errors, next) = (arrived, [TextError](), 0)
        while next < queue.count {
            for contribution in waiting.remove(waitingFor: queue[next].site, queue[next].numbers) {
                let site = contribution.id.site
                let old = tree.next(of: site)
                do throws(TextError) {
                    try applyOrKeep(contribution)
                } catch {
                    errors.append(error)
                }
                let new = tree.next(of: site)
                if new > old { queue.append((site, old..<new)) }
            }
            next += 1
        }
        return errors
    }

    private mutating func applyOrKeep(_ contribution: TextContribution) throws(TextError) {
        let (id, size) = (contribution.id, contribution.size)
        let known = tree.next(of: id.site)
        if id.number < known {
            guard id.number + size <= known else { throw TextError.different(id) }
            return try verify(contribution)
        }
        if let missing = missingNumber(of: contribution, known: known) {
            return try waiting.add(contribution, waitingFor: missing)
        }
        switch contribution.content {
        case .run(let text, let place):
            let parent = try parent(place, of: id)
            guard size <= TextLimits.scalars - tree.scalars else {
                throw TextError.full(what: "scalars", limit: TextLimits.scalars)
            }
            let site = try self.site(id.site)
            add(Array(text.unicodeScalars), site: site, first: id.number, parent: parent)
        case .deletion(let ranges):
            let stretches = try stretches(ranges, of: id)
            let site = try self.site(id.site)
            for stretch in stretches { _ = pieces.delete(run: stretch.run, stretch.offsets) }
            tree.setNext(id.number + 1, of: site)
        }
    }

    /// The first number on which a contribution depends and that is missing; nil if none is missing.
    private func missingNumber(of contribution: TextContribution, known: Int) -> ScalarID? {
        let id = contribution.id
        if id.number > known { return ScalarID(site: id.site, number: id.number - 1) }
        for cause in contribution.causes {
            let last = cause.first.number + cause.count - 1
            if last >= tree.next(of: cause.first.site) {
                return ScalarID(site: cause.first.site, number: last)
            }
        }
        return nil
    }

    private mutating func site(_ site: TextSite) throws(TextError) -> Int {
        guard tree.index(of: site) != nil || tree.sites.count < TextLimits.sites else {
            throw TextError.full(what: "sites", limit: TextLimits.sites)
        }
        return tree.addSite(site)
    }

    private func parent(
        _ place: TextContribution.Position, of id: ScalarID
    ) throws(TextError) -> TextTree.Parent {
        let (other, side): (ScalarID, TextTree.Side)
        switch place {
        case .start: return TextTree.Parent(element: .start, side: .right)
        case .after(let scalar): (other, side) = (scalar, .right)
        case .before(let scalar): (other, side) = (scalar, .left)
        }
        guard let element = tree.element(other) else { throw TextError.noScalar(id, refersTo: other) }
        return TextTree.Parent(element: element, side: side)
    }

    /// Converts ranges of numbers to parts of runs.
    private func stretches(
        _ ranges: [ScalarRange], of id: ScalarID
    ) throws(TextError) -> [(run: Int32, offsets: Range<Int32>)] {
        var stretches: [(run: Int32, offsets: Range<Int32>)] = []
        for range in ranges {
            var number = range.first.number
            let end = number + range.count
            while number < end {
                let scalar = ScalarID(site: range.first.site, number: number)
                guard let element = tree.element(scalar) else {
                    throw TextError.noScalar(id, refersTo: scalar)
                }
                let run = tree.runs[Int(element.run)]
                let count = min(Int32(end - number), run.count - element.offset)
                stretches.append((element.run, element.offset..<element.offset + count))
                number += Int(count)
            }
        }
        return stretches
    }

    // MARK: Contributions that were applied before

    /// Throws `TextError.different` if a contribution differs from the applied one with the same ID. Deleted
    /// text cannot be compared.
    private func verify(_ contribution: TextContribution) throws(TextError) {
        let id = contribution.id
        switch contribution.content {
        case .run(let text, let place):
            try verify(Array(text.unicodeScalars), id, parent: parent(place, of: id))
        case .deletion(let ranges):
            guard tree.element(id) == nil else { throw TextError.different(id) }
            for stretch in try stretches(ranges, of: id) {
                var offset = stretch.offsets.lowerBound
                while offset < stretch.offsets.upperBound {
                    let spot = pieces.spot(of: Element(run: stretch.run, offset: offset))
                    let piece = pieces.piece(at: spot)
                    guard !piece.isVisible else { throw TextError.different(id) }
                    offset = piece.offset + piece.count
                }
            }
        }
    }

    /// Throws `TextError.different` unless the scalars have the same parent as before, and the same values as
    /// those that are still visible. Nil stands for a scalar whose value the caller does not know.
    func verify(_ new: [Unicode.Scalar?], _ id: ScalarID, parent: TextTree.Parent) throws(TextError) {
        guard let element = tree.element(id), tree.parent(of: element) == parent,
            Int(element.offset) + new.count <= Int(tree.runs[Int(element.run)].count)
        else { throw TextError.different(id) }
        var done = 0
        while done < new.count {
            let offset = element.offset + Int32(done)
            let piece = pieces.piece(at: pieces.spot(of: Element(run: element.run, offset: offset)))
            let count = min(Int(piece.offset + piece.count - offset), new.count - done)
            if piece.isVisible {
                let start = Int(piece.start + offset - piece.offset)
                for index in 0..<count {
                    guard let scalar = new[done + index] else { continue }
                    guard scalars[start + index] == scalar else { throw TextError.different(id) }
                }
            }
            done += count
        }
    }
}
