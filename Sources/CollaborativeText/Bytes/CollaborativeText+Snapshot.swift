public import Foundation

/// Snapshots: the whole text as one value, which replaces many contributions.
extension CollaborativeText {
    /// Returns all applied contributions as compact bytes. Of deleted scalars only the identities are
    /// included.
    ///
    /// The snapshot includes the contributions of this site that ``takeContributions()`` has not returned
    /// yet, but no waiting contributions. Where the snapshot is stored, the app may delete the contributions
    /// that it includes; see ``includes(_:)``. Contributions that were made concurrently can still be applied
    /// to it.
    public mutating func takeSnapshot() -> Data {
        finished = ownContributions.count
        var writer = ByteWriter()
        writer.write(TextSnapshot.version)
        writer.write(tree.sites.count)
        for (index, site) in tree.sites.enumerated() {
            writer.write(site.name)
            writer.write(tree.next[index])
        }
        writer.write(tree.runs.count - 1)
        var text = String.UnicodeScalarView()
        for (index, run) in tree.runs.enumerated().dropFirst() {
            writer.write(run.site)
            writer.write(run.first)
            writer.write(Int(run.parent.element.run))
            writer.write(Int(run.parent.element.offset) * 2 + Int(run.parent.side.rawValue))
            let stretches = stretches(ofRun: index)
            writer.write(stretches.count)
            for (position, stretch) in stretches.enumerated() {
                writer.write(stretch.count)
                if position % 2 == 0 { text.append(contentsOf: stretch) }
            }
        }
        writer.write(String(text))
        return writer.data
    }

    /// Creates a text from a snapshot. Throws ``TextError`` if the snapshot is damaged, contradicts itself,
    /// or was written by a later version.
    public init(snapshot: Data, site: TextSite) throws {
        self.init(site: site)
        try merge(snapshot)
    }

    /// Applies all contributions of a snapshot. Contributions that were applied before have no further
    /// effect.
    ///
    /// Throws ``TextError`` if the snapshot is damaged, was written by a later version, contradicts the
    /// applied contributions, or exceeds a limit together with them. Then the text is unchanged.
    ///
    /// - Returns: The errors of contributions that waited for these and turned out to be invalid.
    @discardableResult
    public mutating func merge(_ snapshot: Data) throws -> [TextError] {
        let snapshot = try TextSnapshot(snapshot)
        var merged = self
        let old = snapshot.sites.map { tree.next(of: $0.name) }
        for run in snapshot.runs { try merged.merge(run, of: snapshot, known: old[run.site]) }
        for site in snapshot.sites { merged.tree.setNext(site.next, of: merged.tree.addSite(site.name)) }
        guard merged.tree.sites.count <= TextLimits.sites else {
            throw TextError.full(what: "sites", limit: TextLimits.sites)
        }
        self = merged
        return applyWaiting(
            zip(snapshot.sites, old).filter { $0.next > $1 }.map { ($0.name, $1..<$0.next) })
    }

    /// The stretches of a run, alternately visible and deleted. The first is visible and may be empty. In
    /// deleted stretches only the number of scalars matters.
    private func stretches(ofRun run: Int) -> [[Unicode.Scalar]] {
        var stretches: [[Unicode.Scalar]] = [[]]
        for piece in pieces.pieces(ofRun: run) {
            let isVisible = stretches.count % 2 == 1
            if piece.isVisible != isVisible { stretches.append([]) }
            let last = stretches.count - 1
            if piece.isVisible {
                stretches[last] += scalars[Int(piece.start)..<Int(piece.start + piece.count)]
            } else {
                stretches[last] += repeatElement("\u{0}", count: Int(piece.count))
            }
        }
        return stretches
    }

    /// - Parameter known: The number of the site's next contribution before the merge. Scalars with lower
    ///   numbers are compared with the text, and the others are added.
    private mutating func merge(_ run: TextSnapshot.Run, of snapshot: TextSnapshot, known: Int) throws {
        let name = snapshot.sites[run.site].name
        var first = run.first
        var parent = TextTree.Parent(element: .start, side: .right)
        if let id = run.parent {
            guard let element = tree.element(id) else {
                throw TextError.noScalar(ScalarID(site: name, number: first), refersTo: id)
            }
            parent = TextTree.Parent(element: element, side: run.side)
        }
        let site = tree.addSite(name)
        for stretch in run.stretches {
            var rest = stretch
            while rest.count > 0 {
                let part = rest.removeFirst(first < known ? known - first : rest.count)
                let id = ScalarID(site: name, number: first)
                if first < known {
                    try mergeKnown(part, id, parent)
                } else {
                    try mergeNew(part, id, site, parent)
                }
                first += part.count
                guard let last = tree.element(site: site, number: first - 1) else {
                    throw TextError.different(id)
                }
                parent = TextTree.Parent(element: last, side: .right)
            }
        }
    }

    private mutating func mergeKnown(
        _ part: TextSnapshot.Stretch, _ id: ScalarID, _ parent: TextTree.Parent
    ) throws {
        guard let text = part.text else {
            try verify(Array(repeating: nil, count: part.count), id, parent: parent)
            guard let element = tree.element(id) else { throw TextError.different(id) }
            _ = pieces.delete(run: element.run, element.offset..<element.offset + Int32(part.count))
            return
        }
        try verify(Array(text), id, parent: parent)
    }

    private mutating func mergeNew(
        _ part: TextSnapshot.Stretch, _ id: ScalarID, _ site: Int, _ parent: TextTree.Parent
    ) throws {
        guard part.count <= TextLimits.scalars - tree.scalars else {
            throw TextError.full(what: "scalars", limit: TextLimits.scalars)
        }
        if let text = part.text {
            add(Array(text), site: site, first: id.number, parent: parent)
        } else {
            add(count: part.count, start: -1, site: site, first: id.number, parent: parent)
        }
    }
}
