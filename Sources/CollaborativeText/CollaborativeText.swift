/// A text that several people write at the same time on devices that are not always connected.
///
/// Each device has a ``TextSite`` and edits its own copy, without asking anybody. What it types and deletes
/// become ``TextContribution`` values, which the app stores and sends. Every copy that has applied the same
/// contributions has the same text, in whatever order and however often they arrived: nothing that was typed
/// and not deleted is lost, and what one person types at one place stays together.
///
///     var text = CollaborativeText(site: try TextSite("phone"))
///     try text.insert("Dear clowns", at: 0)
///     for contribution in text.takeContributions() { store(contribution) }
///     for contribution in arrived { try text.apply(contribution) }
///
/// ## Positions
///
/// Positions count Unicode scalars: they are offsets in `text.unicodeScalars`. Scalars are the same on every
/// device, while the rules for what is one `Character` change with the version of Unicode, so that two
/// devices could disagree on how many characters a contribution has. Characters stay whole nevertheless,
/// because every edit is widened to whole characters: see ``insert(_:at:)`` and ``delete(_:)``.
///
/// ## Cost
///
/// Memory is linear in the typed text: 4 bytes for a scalar, and about 50 for each typed run or deleted
/// stretch. An edit or a contribution costs the same in long texts as in short ones, but for a small part
/// that grows with the number of runs. ``compact()`` frees what was deleted.
public struct CollaborativeText: Sendable {
    /// The site of this copy.
    public let site: TextSite
    var tree = TextTree()
    var pieces = PieceList()
    /// The scalars of all visible pieces, and of those deleted since the last call of `compact`.
    var scalars: [Unicode.Scalar] = []
    /// The contributions of this site that `takeContributions` has not returned yet.
    var ownContributions: [TextContribution] = []
    /// How many of them are finished, because a snapshot has them as they are.
    var finished = 0
    /// The first scalar of the last insertion on this device.
    var lastTyped: Element?
    var waiting = WaitingContributions()

    /// Creates an empty text.
    public init(site: TextSite) {
        self.site = site
    }

    /// The number of Unicode scalars in the text.
    public var count: Int { pieces.count }

    /// The whole text. Building it takes time linear in its length.
    public var text: String {
        var view = String.UnicodeScalarView()
        pieces.forEach { piece in
            guard piece.isVisible else { return }
            let start = Int(piece.start)
            view.append(contentsOf: scalars[start..<start + Int(piece.count)])
        }
        return String(view)
    }

    /// The part of the text at a range of positions; positions outside of the text are left out.
    public func text(in range: Range<Int>) -> String {
        String(String.UnicodeScalarView(scalars(in: range)))
    }

    /// Whether a contribution was applied, by its identity.
    public func includes(_ contribution: TextContribution) -> Bool {
        tree.next(of: contribution.id.site) >= contribution.id.number + contribution.size
    }

    /// The scalars at a range of positions that are in the text.
    func scalars(in range: Range<Int>) -> [Unicode.Scalar] {
        let range = range.clamped(to: 0..<count)
        var found: [Unicode.Scalar] = []
        guard !range.isEmpty else { return found }
        pieces.forEachVisible(from: range.lowerBound) { piece in
            let start = Int(piece.start)
            found += scalars[start..<start + min(Int(piece.count), range.count - found.count)]
            return found.count < range.count
        }
        return found
    }

    /// Forgets the scalars that were deleted.
    ///
    /// Their identities stay, a few bytes for each deleted stretch: a device that has not seen the deletion
    /// may still type beside them. So this can be called at any time, whatever other devices have seen.
    public mutating func compact() {
        var kept: [Unicode.Scalar] = []
        kept.reserveCapacity(count)
        pieces.forEach { piece in
            guard piece.isVisible else { return }
            kept += scalars[Int(piece.start)..<Int(piece.start + piece.count)]
        }
        scalars = kept
        pieces.renumberStorage()
    }
}
